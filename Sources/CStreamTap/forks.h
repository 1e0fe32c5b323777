// Keeps the tap whole across forks.
#ifndef WWS_FORKS_H
#define WWS_FORKS_H

void wws_watch_forks(void);

#endif
