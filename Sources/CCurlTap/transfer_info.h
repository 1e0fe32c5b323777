// What libcurl reports about a transfer when the tap asks.
#ifndef WWT_TRANSFER_INFO_H
#define WWT_TRANSFER_INFO_H

#include "curl_abi.h"
#include "frame_buffer.h"
#include "sockets.h"

/// The handle to ask, and its libcurl.
typedef struct wwt_source {
    wwt_library *library;
    CURL *easy;
    const wwt_ends *ends; // its connection, if libcurl names none or another one; NULL if the tap does not know it either
} wwt_source;

const char *wwt_url_of(const wwt_source *source);
/// Whether a text starts with that scheme, in any case of letters.
bool wwt_has_scheme(const char *url, const char *scheme);
/// The local port that libcurl names; 0 if it names none. A libcurl that is late names that of the previous request.
uint32_t wwt_named_port(const wwt_source *source);
/// When libcurl moved on to the current request. The value grows with each redirect or retry that libcurl follows
/// itself.
int64_t wwt_turned_at(const wwt_source *source);
/// The number of connections that the transfer has opened.
long wwt_connects_of(const wwt_source *source);
/// Whether libcurl speaks HTTP for such a URL, proxies aside.
bool wwt_is_http(const char *url);
/// The socket that carries the transfer now; -1 if it is not known.
int wwt_socket_carrying(const wwt_source *source);

/// When the frame of a request also has what its connection has carried before.
enum wwt_count_need {
    WWT_COUNT_NEVER,
    WWT_COUNT_IF_OVERTAKING, // if the end of another transfer on this connection was not reported yet
    WWT_COUNT_ALWAYS,
};

/// Adds the frame that precedes a request's headers, and one about its connection if that is new or TLS has started on
/// it.
///
/// `connects_reported`: how many connections of the transfer were reported already; the result is how many are now.
int64_t wwt_report_request(
    const wwt_source *source, wwt_frames *frames, uint64_t now, const char *url, enum wwt_count_need need,
    int64_t connects_reported);
/// Adds the frame that ends a transfer; `result` is libcurl's verdict if it gave one.
///
/// `patience`: after how many milliseconds without progress the program takes the transfer back; 0 if that is not
/// known. `is_done`: libcurl has said that it is done, and named no error.
void wwt_report_end(
    const wwt_source *source, wwt_frames *frames, uint64_t now, enum wwt_end_how how, CURLcode result, uint32_t patience,
    bool is_done);
/// The same if libcurl cannot be asked any more; `heads` is the number of bytes of status lines and headers that it
/// showed.
void wwt_report_bare_end(wwt_frames *frames, uint64_t now, int64_t heads);

#endif
