// A response's headers that wait to be sent together with what follows them: one message less for an exchange.
//
// They never wait while the program does. Headers are held only while the program is inside curl_easy_perform, and they
// are sent before libcurl waits for its sockets, together with the first bytes of the body before the program gets
// these, and at the latest together with the end of the transfer.
#ifndef WWT_HELD_HEAD_H
#define WWT_HELD_HEAD_H

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

#endif
