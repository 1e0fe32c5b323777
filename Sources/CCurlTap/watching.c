// Whether the tap watches, and what runs under it.

#ifdef __linux__
#include "CCurlTap.h"
#include "watching.h"

static bool enabled;
static uint32_t period = 1;
static uint64_t untapped;
static uint32_t running;
static void (*when_idle)(void);

bool wwt_tap_enabled(void) { return __atomic_load_n(&enabled, __ATOMIC_SEQ_CST); }

uint32_t wwt_watch_period(void) { return __atomic_load_n(&period, __ATOMIC_SEQ_CST); }

void wwt_watch_start(void) { __atomic_store_n(&enabled, true, __ATOMIC_SEQ_CST); }

void wwt_watch_pause(void) { __atomic_store_n(&enabled, false, __ATOMIC_SEQ_CST); }

void wwt_watch_end(void) { __atomic_add_fetch(&period, 1, __ATOMIC_SEQ_CST); }

void wwt_tap_untapped(void) { __atomic_add_fetch(&untapped, 1, __ATOMIC_RELAXED); }

void wwt_untapped_forget(void) { __atomic_store_n(&untapped, 0, __ATOMIC_RELAXED); }

uint64_t wwt_untapped(void) { return __atomic_load_n(&untapped, __ATOMIC_RELAXED); }

uint32_t wwt_running(void) { return __atomic_load_n(&running, __ATOMIC_SEQ_CST); }

void wwt_running_began(void) { __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST); }

uint32_t wwt_running_ended(void) { return __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST); }

void wwt_tap_when_idle(void (*idle)(void)) { __atomic_store_n(&when_idle, idle, __ATOMIC_RELEASE); }

void wwt_idle_if(uint32_t running) {
    void (*idle)(void) = __atomic_load_n(&when_idle, __ATOMIC_ACQUIRE);
    if (running == 0 && !wwt_tap_enabled() && idle) idle();
}

#else

#include "CCurlTap.h"

uint64_t wwt_untapped(void) { return 0; }
uint32_t wwt_running(void) { return 0; }

#endif
