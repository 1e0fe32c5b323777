// Keeps the tap whole across forks: the connections of the parent stay the parent's, except those that a server has
// accepted for its child.

#ifdef __linux__
#include "connection.h"
#include "forks.h"
#include "name_lookups.h"
#include "sessions.h"

static void before(void) {
    wws_share_connections();
    wws_lock_sessions();
    wws_lock_connections();
    wws_lock_lookups();
}

static void in_parent(void) {
    wws_unlock_lookups();
    wws_unlock_connections();
    wws_unlock_sessions();
}

static void in_child(void) {
    in_parent();
    wws_forget_connections();
    wws_forget_sessions();
}

void wws_watch_forks(void) { pthread_atfork(before, in_parent, in_child); }

#endif
