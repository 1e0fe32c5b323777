// The TLS sessions of the program.
#ifndef WWS_SESSIONS_H
#define WWS_SESSIONS_H

/// Forgets all. Call it with the lock, or in the child of a fork: the sessions are the parent's.
void wws_forget_sessions(void);

#endif
