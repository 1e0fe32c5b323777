// The place where frames leave the tap, and whether it is open.
#ifndef WWT_OUTLET_H
#define WWT_OUTLET_H

#include "CCurlTap.h"

/// Sets where frames go from now on; NULL for nowhere. What was begun before emits nothing afterwards.
void wwt_outlet_open(const wwt_settings *settings);
/// Call in the child of a fork; returns whether the child goes on to report its own transfers.
bool wwt_outlet_forked(void);

/// Distinguishes what was begun before and after the outlet was opened or closed.
uint32_t wwt_outlet_generation(void);
/// Whether the outlet is still open for what was begun in that generation; if so, it stays open until
/// `wwt_outlet_leave`.
bool wwt_outlet_enter(uint32_t begun);
void wwt_outlet_leave(void);

/// Between `enter` and `leave`: how many bytes of each body to send along.
uint32_t wwt_outlet_keep_body(void);
/// Between `enter` and `leave`: sends whole frames. False if they cannot be taken now.
bool wwt_outlet_emit(const void *frames, size_t count, bool last);

#endif
