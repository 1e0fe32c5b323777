// TLS libraries inside the program's executable.
#ifndef WIREWEIGHT_INNER_TLS_H
#define WIREWEIGHT_INNER_TLS_H

#include <stdbool.h>

/// Hooks those whose functions have names, while no other thread runs; returns whether there was one that could be hooked.
/// Call it once.
bool wireweight_hook_inner_tls(void);
/// After that: whether there was one that could not be hooked.
bool wireweight_left_inner_tls(void);

#endif
