// The place where frames leave the tap, and whether it is open.
#ifndef WWT_FRAME_OUTPUT_H
#define WWT_FRAME_OUTPUT_H

#include "CCurlTap.h"

/// Sets where frames go from now on; NULL for nowhere. What was begun before emits nothing afterwards.
void wwt_output_open(const wwt_settings *settings);
/// Says whether this process is forking now.
void wwt_output_forking(bool is_forking);
/// Call in the child of a fork; returns whether the child goes on to report its own transfers.
bool wwt_output_forked(void);

/// Distinguishes what was begun before and after the output was opened or closed.
uint32_t wwt_output_generation(void);
/// Whether the output is still open for what was begun in that generation; if so, it stays open until
/// `wwt_output_leave`.
bool wwt_output_enter(uint32_t begun);
void wwt_output_leave(void);

/// Sends what this thread emits elsewhere from now on, without `enter` and `leave`; NULL for no longer.
void wwt_output_divert(const wwt_settings *settings);

/// Between `enter` and `leave`: how many bytes of each body to send along.
uint32_t wwt_output_keep_body(void);
/// Between `enter` and `leave`: whether bodies get no digests.
bool wwt_output_skips_digests(void);
/// Between `enter` and `leave`: sends whole frames. False if they cannot be taken now.
bool wwt_output_emit(const void *frames, size_t count, bool last);

#endif
