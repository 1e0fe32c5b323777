// What Foundation for Linux knows about a transfer and does not pass to libcurl.
#ifndef WWT_FOUNDATION_TIMEOUT_H
#define WWT_FOUNDATION_TIMEOUT_H

#include <stdbool.h>
#include <stdint.h>

/// After how many milliseconds without progress Foundation takes back the transfer whose callbacks have that client;
/// 0 if it does not, or if the client is not Foundation's.
uint32_t wwt_foundation_timeout(const void *client);

#endif
