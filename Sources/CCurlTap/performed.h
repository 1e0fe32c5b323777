// What the tap spares while the program is inside curl_easy_perform, because it knows there which transfer runs.
//
// A response's headers wait to be sent together with what follows them: one message less for an exchange. They never wait
// while the program does: they are sent before libcurl waits for its sockets, together with the first bytes of the body
// before the program gets these, and at the latest together with the end of the transfer.
//
// Verbose mode begins when libcurl first sends. libcurl shows nothing of a request before, but describes what it does to
// find a connection, and writes each of these messages letter by letter.
#ifndef WWT_PERFORMED_H
#define WWT_PERFORMED_H

#include "transfer.h"

/// Call before this thread performs a transfer (NULL for one that is not under the tap). Returns what it performs until
/// then, for `wwt_perform_end`.
wwt_transfer *wwt_perform_begin(wwt_transfer *transfer);
void wwt_perform_end(wwt_transfer *outside);
/// Call before a transfer is freed.
void wwt_perform_forget(const wwt_transfer *transfer);
/// Whether the response's headers, which have just come to their end, may wait; if so, they do from now on.
bool wwt_hold_head(const wwt_transfer *transfer);
/// Call before libcurl waits.
void wwt_send_held(void);

/// Whether a transfer that is performed can do without verbose mode until libcurl sends.
bool wwt_may_begin_quietly(const wwt_library *library, const wwt_handle *handle);
/// Call before libcurl sends over a socket.
void wwt_performed_sends(void);
/// Call when libcurl has opened a session of HTTP/2.
void wwt_performed_opens_http2(wwt_library *library);

#endif
