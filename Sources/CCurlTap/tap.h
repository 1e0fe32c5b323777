// Starts the tap in a program that has hooks of another kind.
#ifndef WWT_TAP_H
#define WWT_TAP_H

#include "CCurlTap.h"

/// Starts to emit. The tap has not seen the history of handles that exist already.
void wwt_tap_enable(const wwt_settings *settings);

#endif
