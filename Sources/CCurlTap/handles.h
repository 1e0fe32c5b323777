// What the tap knows about one easy handle of the program.
#ifndef WWT_HANDLES_H
#define WWT_HANDLES_H

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
    bool keeps_chunks;  // passes chunked responses on as they are
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
/// The handle's record, made now if there is none. `fresh`: the handle has just been made or reset, so all its options
/// are those of a new one.
wwt_handle *wwt_remember_handle(CURL *easy, bool fresh);
void wwt_forget_handle(CURL *easy);
/// Marks a handle that libcurl has made itself, to resolve a name for the transfer `asking`.
void wwt_set_libcurls_own(wwt_handle *handle, const void *asking, uint32_t period);
/// A transfer of libcurl's own that resolves a name for `asking`, detached from its handle; NULL if there is none.
struct wwt_transfer *wwt_take_asked_by(const void *asking);

/// A fork holds the lock while it happens.
void wwt_lock_handles(void);
void wwt_unlock_handles(void);

#endif
