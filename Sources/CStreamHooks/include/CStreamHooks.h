// The tap below any HTTP library, in a program that starts it itself: next to libcurl's tap, whose frames leave the same
// way.
#ifndef CSTREAMHOOKS_H
#define CSTREAMHOOKS_H

#include "CCurlTap.h"

/// Makes the detours for a TLS library that is inside the executable, such as Swift's NIOSSL: possible only while the
/// process has one thread, so call it as early as can be. They stay, and do nothing until the tap is started. Further
/// calls return the same.
///
/// Returns whether a library inside the executable is hooked.
bool wws_hook_executable(void);

/// Whether the executable has a TLS library that could not be hooked then, as when there was a second thread.
bool wws_leaves_executable(void);

/// Starts both taps: libcurl's, if there is one that it knows, and this one, for all connections that libcurl does not
/// open. `wwt_stop` stops both. `WWT_OK`, `WWT_ALREADY_STARTED` or `WWT_UNSUPPORTED`.
enum wwt_status wws_start_in_process(const wwt_settings *settings);

/// Leaves connections alone that are accepted at that local port from now on, or watches them again: those of the
/// program's own page about its traffic.
void wws_leave_port(uint16_t port, bool is_left);

/// The number of slots that have hooks of this tap now.
uint32_t wws_hooked_slots(void);

#endif
