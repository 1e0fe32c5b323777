// TLS libraries inside the program's executable.
#ifndef WIREWEIGHT_INNER_TLS_H
#define WIREWEIGHT_INNER_TLS_H

/// Hooks those whose functions have names. Call before `main`, while no other thread runs.
void wireweight_hook_inner_tls(void);

#endif
