#ifdef __linux__
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include "frame_output.h"

static wwt_settings destination;
static __thread const wwt_settings *diversion;
static uint32_t generation; // odd while there is a destination
static uint32_t inside;     // number of threads between `enter` and `leave`
static pid_t forking;       // this process, while it forks; 0 otherwise

uint32_t wwt_output_generation(void) { return __atomic_load_n(&generation, __ATOMIC_ACQUIRE); }

bool wwt_output_enter(uint32_t begun) {
    __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    uint32_t now = __atomic_load_n(&generation, __ATOMIC_SEQ_CST);
    pid_t forker = __atomic_load_n(&forking, __ATOMIC_RELAXED);
    // In the child, handlers may run before ours: the output is still the parent's.
    if (begun == now && (now & 1) && (!forker || forker == getpid())) return true;
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    return false;
}

void wwt_output_leave(void) { __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST); }

void wwt_output_divert(const wwt_settings *settings) { diversion = settings; }

static const wwt_settings *settings_now(void) { return diversion ? diversion : &destination; }

uint32_t wwt_output_keep_body(void) { return settings_now()->keep_body; }

bool wwt_output_skips_digests(void) { return settings_now()->skips_digests; }

bool wwt_output_emit(const void *frames, size_t count, bool last) {
    const wwt_settings *settings = settings_now();
    return settings->emit(settings->context, frames, count, last);
}

void wwt_output_open(const wwt_settings *settings) {
    if (settings) {
        destination = *settings;
        __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
        return;
    }
    __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
    // Wait for threads that are emitting. It takes a moment only, because emitting does not block.
    while (__atomic_load_n(&inside, __ATOMIC_SEQ_CST)) sched_yield();
}

void wwt_output_forking(bool is_forking) {
    __atomic_store_n(&forking, is_forking ? getpid() : 0, __ATOMIC_RELAXED);
}

bool wwt_output_forked(void) {
    inside = 0; // the child does not have the parent's other threads
    if (!(generation & 1)) return false;
    generation += destination.in_children ? 2 : 1; // even: no destination
    return destination.in_children;
}

#endif
