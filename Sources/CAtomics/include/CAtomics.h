#pragma once

#include <stdint.h>

// A number that threads read and change at the same time, in one order that all of them see.

int64_t wwt_atomic_load(const int64_t *number);
void wwt_atomic_store(int64_t *number, int64_t value);
// Adds with wrap-around. Returns the number before.
int64_t wwt_atomic_add(int64_t *number, int64_t addend);
