// The dynamic linker's slots of the objects that call libcurl.
#ifndef WWT_LINKER_SLOTS_H
#define WWT_LINKER_SLOTS_H

#include "CCurlTap.h"

/// Hooks all objects that are loaded now, and by `wwt_refresh` those that are loaded later. `other` is what `wwt_other_hook`
/// becomes.
void wwt_hook_slots(void *(*other)(const char *name, const void *bound));
/// Removes the hooks, unless the tap has been started again or transfers still run.
void wwt_unhook_slots(void);

/// The number of slots that have hooks of `wwt_other_hook` now.
uint32_t wwt_other_slots(void);

/// A fork holds the lock while it happens.
void wwt_lock_slots(void);
void wwt_unlock_slots(void);

#endif
