// The C standard (C11 7.8)
#pragma once
#include <stdint.h>

#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
