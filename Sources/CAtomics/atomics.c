#include "CAtomics.h"

int64_t wwt_atomic_load(const int64_t *number) { return __atomic_load_n(number, __ATOMIC_SEQ_CST); }

void wwt_atomic_store(int64_t *number, int64_t value) { __atomic_store_n(number, value, __ATOMIC_SEQ_CST); }

int64_t wwt_atomic_add(int64_t *number, int64_t addend) {
    return __atomic_fetch_add(number, addend, __ATOMIC_SEQ_CST);
}
