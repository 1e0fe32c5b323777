// The TLS sessions of the program.
#ifndef WWS_SESSIONS_H
#define WWS_SESSIONS_H

/// A fork holds the lock while it happens.
void wws_lock_sessions(void);
void wws_unlock_sessions(void);
/// Forgets all. Call it with the lock, or in the child of a fork: the sessions are the parent's.
void wws_forget_sessions(void);

#endif
