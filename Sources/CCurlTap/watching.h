// Whether the tap watches, and what runs under it.
#ifndef WWT_WATCHING_H
#define WWT_WATCHING_H

#include <stdbool.h>
#include <stdint.h>

bool wwt_tap_enabled(void);
/// The number of the current period of watching. Options that a program sets between two periods go unseen.
uint32_t wwt_watch_period(void);
/// Taps transfers that begin from now on.
void wwt_watch_start(void);
/// Taps no more transfers.
void wwt_watch_pause(void);
/// Ends the period.
void wwt_watch_end(void);
/// Counts a transfer that is not tapped.
void wwt_tap_untapped(void);
void wwt_untapped_forget(void);
/// Counts a transfer that carries our debug function, until `wwt_running_ended`, which returns the number of those that
/// still run.
void wwt_running_began(void);
uint32_t wwt_running_ended(void);
/// Sets the function that is called when the last one ends after the tap was stopped.
void wwt_tap_when_idle(void (*idle)(void));
/// Calls it if that is so; `running` transfers still run.
void wwt_idle_if(uint32_t running);

#endif
