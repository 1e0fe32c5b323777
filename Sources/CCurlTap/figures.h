// What libcurl tells of a transfer when it is asked.
#ifndef WWT_FIGURES_H
#define WWT_FIGURES_H

#include "below.h"
#include "frames.h"
#include "tap.h"

/// Whom to ask.
typedef struct wwt_source {
    wwt_library *library;
    CURL *easy;
    const wwt_ends *ends; // of its connection, where libcurl names none or another's; NULL where they are not known either
} wwt_source;

const char *wwt_url_of(const wwt_source *source);
/// Whether a text begins with that, in any case of letters.
bool wwt_has_scheme(const char *url, const char *scheme);
/// From which port it goes as libcurl says; 0 where it does not say, and that of the request before where it is late.
uint32_t wwt_named_port(const wwt_source *source);
/// When libcurl turned to the request after the one before: it grows with each that it follows itself.
int64_t wwt_turned_at(const wwt_source *source);
/// How many connections it has opened.
long wwt_connects_of(const wwt_source *source);
/// Whether HTTP is spoken for such a URL, proxies aside.
bool wwt_is_http(const char *url);
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
///
/// `patience`: after how many milliseconds without progress the program takes it back; 0 where that is not known.
/// `is_done`: libcurl has said that it is done, and named no error.
void wwt_tell_end(
    const wwt_source *source, wwt_frames *frames, uint64_t now, enum wwt_end_how how, CURLcode result, uint32_t patience,
    bool is_done);
/// The same where libcurl cannot be asked any more; `heads` is how many bytes of responses' heads it has shown.
void wwt_tell_bare_end(wwt_frames *frames, uint64_t now, int64_t heads);

#endif
