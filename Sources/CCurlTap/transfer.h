// One transfer under the tap: from the moment it is handed to libcurl until it is done or taken back.
#ifndef WWT_TRANSFER_H
#define WWT_TRANSFER_H

#include "handle.h"
#include "tap.h"

typedef struct wwt_transfer wwt_transfer;

/// Puts our functions in front of the program's, and tells the begin. NULL when there is no memory.
wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle);
/// Puts our functions in place again, after the program has reset the handle.
void wwt_transfer_take_options(wwt_transfer *transfer);
/// Takes what is of our making out of the options that libcurl has copied from a transfer into a handle of its own; which
/// transfer, or NULL where that is not known.
const void *wwt_transfer_take_over(wwt_handle *copy);
/// Whether names are resolved over HTTPS for it.
bool wwt_transfer_asks(const wwt_transfer *transfer);
/// Whether the debug function that was set for a handle is ours.
bool wwt_is_our_debug(const wwt_handle *handle);
/// Tells the end of a transfer whose handle libcurl has freed meanwhile, and frees it.
uint32_t wwt_transfer_end_without_handle(wwt_transfer *transfer);
/// libcurl's verdict.
void wwt_transfer_result(wwt_transfer *transfer, CURLcode result);
/// Whether libcurl has given its verdict: then it has let go of the transfer.
bool wwt_transfer_has_result(const wwt_transfer *transfer);
/// The request is, or is about to be, that stream of HTTP/2.
void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream);
/// Puts the program's options back, and takes libcurl's last figures if the end is to be told. The handle is not the
/// transfer's any more.
void wwt_transfer_conclude(wwt_transfer *transfer, enum wwt_end_how how, bool tell);
/// Tells the end, with what libcurl has still sent for it, and frees; the number of transfers still running.
uint32_t wwt_transfer_end(wwt_transfer *transfer);
/// Frees a transfer whose handle is gone; the number of transfers still running.
uint32_t wwt_transfer_forget(wwt_transfer *transfer);

/// The function that closes sockets for a transfer, with its client: it tells the kernel's last count, then lets the
/// program's own function close. NULL when there are too many to remember.
void *wwt_closer_for(wwt_closes closes);
int wwt_close_socket(void *closer, int socket);
/// Tells the kernel's count of each connection that is still open, as the program ends.
void wwt_tell_left_sockets(void);
/// In the child of a fork: those that are open are the parent's to tell.
void wwt_sockets_forked(void);
/// The kernel's count; when the socket is about to be closed, with what is still to be sent.
wwt_tcp wwt_read_tcp(int socket, bool is_closing);
/// 0 where it has none.
uint32_t wwt_local_port(int socket);

#endif
