// The clock of all frames: monotonic, in nanoseconds.
#ifndef WWT_CLOCK_H
#define WWT_CLOCK_H

#include <stdint.h>

uint64_t wwt_now(void);

#endif
