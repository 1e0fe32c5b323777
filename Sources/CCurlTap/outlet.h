// The way out for frames, and whether there is one.
#ifndef WWT_OUTLET_H
#define WWT_OUTLET_H

#include "CCurlTap.h"

/// Where frames go from now on; NULL for nowhere. What was begun before is silent afterwards.
void wwt_outlet_open(const wwt_settings *settings);
/// In the child of a fork; whether the child goes on to tell of its own transfers.
bool wwt_outlet_forked(void);

/// Tells apart what was begun before and after the outlet was opened or closed.
uint32_t wwt_outlet_generation(void);
/// Whether there is an outlet for what was begun in that generation; if so, it stays until `wwt_outlet_leave`.
bool wwt_outlet_enter(uint32_t begun);
void wwt_outlet_leave(void);

/// Between `enter` and `leave`: how many bytes of each body to send along.
uint32_t wwt_outlet_keep_body(void);
/// Between `enter` and `leave`: sends whole frames. False: not now.
bool wwt_outlet_emit(const void *frames, size_t count, bool last);

#endif
