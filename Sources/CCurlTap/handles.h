// What the tap knows about one easy handle of the program.
#ifndef WWT_HANDLE_H
#define WWT_HANDLE_H

#include <stdbool.h>

#include "curl_abi.h"

struct wwt_transfer;

/// The function that closes sockets for the program.
typedef struct wwt_closes {
    curl_closesocket_function function;
    void *client;
} wwt_closes;

/// The options that the tap changes while a transfer runs, as the program set them; libcurl has no call to read them.
typedef struct wwt_handle {
    CURL *easy;
    struct wwt_handle *next;
    struct wwt_transfer *active;
    uint32_t watched;   // the period of watching since which the tap has seen every option; see `wwt_history_is_known`
    bool closer_placed; // libcurl calls our function to close its sockets
    bool log_hidden;    // its log is discarded, because the program does not want one
    bool asks_doh;      // resolves names over HTTPS
    char *doh_url;      // the URL of that resolver
    bool is_set_by_libcurl; // libcurl itself has set its URL
    bool is_libcurls;   // libcurl made it itself, to resolve a name
    const void *asked_by; // the transfer whose name it resolves, if known
    bool shows_progress;
    long verbose;
    void *log; // FILE *
    curl_debug_function debug;
    void *debug_data;
    wwt_closes closes;
    const void *client; // of the progress callback
} wwt_handle;

/// Whether the tap has seen every option since the handle was made or reset.
bool wwt_history_is_known(const wwt_handle *handle);
/// What the tap knows about a handle; NULL for nothing.
wwt_handle *wwt_handle_of(const CURL *easy);
/// Call when libcurl is done with a handle of its own, which it will free without the tap seeing it.
void wwt_end_libcurls(CURL *easy);

#endif
