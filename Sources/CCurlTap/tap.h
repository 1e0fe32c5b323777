// Starts the tap in a program that has hooks of another kind.
#ifndef WWT_TAP_H
#define WWT_TAP_H

#include "CCurlTap.h"

/// Another tap in the same process, whose frames leave the same way.
typedef struct wwt_companion {
    /// The hook for a function that an object calls by that name, as `wwt_other_hook`. It cannot ask the linker.
    void *(*hook)(const char *name, const void *bound);
    /// Called once frames are taken, before there are hooks.
    void (*start)(void);
    /// Called while frames are still taken: what it watches is to be reported as it is.
    void (*stop)(void);
    /// Called in the child of a fork if nothing that it reports is taken.
    void (*pause)(void);
} wwt_companion;

/// What another tap does before a fork, and after it in the parent and the child.
typedef struct wwt_fork_part {
    void (*before)(void);
    void (*in_parent)(void);
    void (*in_child)(void);
} wwt_fork_part;

/// Sees to forks, as a start does; `part` comes inside of that. So a fork takes the locks of both in the order in which a
/// start or a stop takes them. NULL for no other part.
void wwt_watch_forks(const wwt_fork_part *part);
/// Starts both: libcurl's tap as far as there is a libcurl that it knows. `wwt_stop` stops both.
enum wwt_status wwt_start_with(const wwt_settings *settings, const wwt_companion *companion);

/// Starts to emit. The tap has not seen the history of handles that exist already.
void wwt_tap_enable(const wwt_settings *settings);

#endif
