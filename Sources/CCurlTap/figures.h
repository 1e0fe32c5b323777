// What libcurl tells of a transfer when it is asked.
#ifndef WWT_FIGURES_H
#define WWT_FIGURES_H

#include "frames.h"
#include "tap.h"

/// Whom to ask.
typedef struct wwt_source {
    wwt_library *library;
    CURL *easy;
} wwt_source;

const char *wwt_url_of(const wwt_source *source);
bool wwt_has_scheme(const char *url, const char *scheme);
/// The socket that carries it now; -1 where that is not known.
int wwt_socket_carrying(const wwt_source *source);
/// Tells that a request's head is about to follow, and, when it is new or TLS has begun on it, of the connection that it
/// goes over.
///
/// `asks_counts`: what the connection has carried before is told, too. `connects_told`: how many connections of the
/// transfer's are known already; the result is how many are now.
int64_t wwt_tell_request(
    const wwt_source *source, wwt_frames *frames, uint64_t now, const char *url, bool asks_counts, int64_t connects_told);
/// Tells that it is over; `result` is libcurl's verdict where there is one.
void wwt_tell_end(const wwt_source *source, wwt_frames *frames, uint64_t now, enum wwt_end_how how, CURLcode result);

#endif
