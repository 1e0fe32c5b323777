// The debug function, which libcurl calls with all that passes in a transfer. It passes each call on to the program's
// own function.

#ifdef __linux__
#include <stdio.h>
#include <string.h>

#include "transfer_state.h"

/// Does what libcurl does in verbose mode if the program has set no debug function.
static void log_as_libcurl(const wwt_handle *handle, int type, const char *bytes, size_t count) {
    static const char *const marks[] = {"* ", "< ", "> "};
    if (type < INFO_TEXT || type > INFO_HEADER_OUT) return;
    FILE *file = handle->log ? handle->log : stderr;
    fwrite(marks[type], 2, 1, file);
    fwrite(bytes, count, 1, file);
}

/// Whether a text is one of those that libcurl writes to trace OpenSSL's handshakes (`ossl_trace`): a version of TLS, a
/// direction, a message and its number. libcurl does so only if a debug function is set.
static bool is_tls_trace(const char *bytes, size_t count) {
    static const char end[] = "):\n";
    if (count < 16 || memcmp(bytes + count - 3, end, 3) != 0) return false;
    return memmem(bytes, 16, " (OUT), ", 8) || memmem(bytes, 16, " (IN), ", 7);
}

/// Whether a text is the one that libcurl writes when it is done with a transfer and still has its handle.
static bool is_done_text(const char *bytes, size_t count) {
    return memmem(bytes, count, " left intact", 12) || memmem(bytes, count, "losing connection", 17);
}

/// Whether a text is one that libcurl writes about the connection of a transfer that ended well. libcurl also writes
/// the first one after a failure if the connection can be used again (HTTP/2), but then it has named the error before.
static bool is_rest_text(const char *bytes, size_t count) {
    return memmem(bytes, count, " left intact", 12) || memmem(bytes, count, "shutting down connection", 24);
}

/// Looks for the end of a transfer whose result the program may never request.
static void follow_end(wwt_transfer *transfer, int type, const char *bytes, size_t count) {
    if (type == INFO_TEXT) {
        transfer->is_done = transfer->was_in && is_rest_text(bytes, count);
        transfer->was_in = false;
    } else if (type != INFO_DATA_OUT) {
        transfer->was_in = type == INFO_HEADER_IN || type == INFO_DATA_IN;
        transfer->is_done = false;
    }
}

int wwt_debug_function(CURL *easy, int type, char *bytes, size_t count, void *user) {
    // libcurl copies our function into handles of its own making, such as those of pushed streams. They may outlive the
    // transfer, so `user` is used only after the handle is known to be this transfer's.
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!handle || !handle->active || handle->active != user) return 0;
    follow_end(handle->active, type, bytes, count);
    if (type != INFO_TEXT) wwt_transfer_see(handle->active, type, bytes, count);
    int code = 0;
    if (handle->verbose && handle->debug) {
        code = handle->debug(easy, type, bytes, count, handle->debug_data);
    } else if (handle->verbose && (type != INFO_TEXT || !is_tls_trace(bytes, count))) {
        log_as_libcurl(handle, type, bytes, count);
    }
    if (handle->is_libcurls && type == INFO_TEXT && is_done_text(bytes, count)) wwt_end_libcurls(easy);
    return code;
}

#endif
