// Keeps the tap whole across forks: the connections of the parent stay the parent's, except those that a server has
// accepted for its child.

#ifdef __linux__
#include "CStreamTap.h"
#include "connection.h"
#include "name_lookups.h"
#include "sessions.h"
#include "tap.h"

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

void wws_watch_forks(void) {
    static const wwt_fork_part part = {before, in_parent, in_child};
    wwt_watch_forks(&part);
}

#endif
