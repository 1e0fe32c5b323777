// What Foundation for Linux knows of a transfer and does not tell libcurl.
#ifndef WWT_FOUNDATION_H
#define WWT_FOUNDATION_H

#include <stdbool.h>
#include <stdint.h>

/// After how many milliseconds without progress Foundation takes back the transfer whose callbacks it gave that client;
/// 0 where it does not, and where the client is not Foundation's.
uint32_t wwt_foundation_timeout(const void *client);

#endif
