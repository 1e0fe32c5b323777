// One transfer under the tap: from the program's call that hands it to libcurl until it is done or taken back.
#ifndef WWT_TRANSFER_H
#define WWT_TRANSFER_H

#include "handles.h"
#include "tap.h"

typedef struct wwt_transfer wwt_transfer;

/// Sets our functions in place of the program's, and reports the start. NULL if there is no memory.
wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle);
/// Sets our functions again, after the program has reset the handle.
void wwt_transfer_take_options(wwt_transfer *transfer);
/// Removes our values from the options that libcurl has copied from a transfer into a handle of its own. Returns that
/// transfer, or NULL if it is not known.
const void *wwt_transfer_take_over(wwt_handle *copy);
/// Whether libcurl resolves names over HTTPS for it.
bool wwt_transfer_asks(const wwt_transfer *transfer);
/// Whether the handle's debug function is ours.
bool wwt_is_our_debug(const wwt_handle *handle);
/// Reports the end of a transfer whose handle libcurl has freed meanwhile, and frees it.
uint32_t wwt_transfer_end_without_handle(wwt_transfer *transfer);
/// Records libcurl's verdict.
void wwt_transfer_result(wwt_transfer *transfer, CURLcode result);
/// Whether libcurl has given its verdict: then it has let go of the transfer.
bool wwt_transfer_has_result(const wwt_transfer *transfer);
/// Records that the transfer's request is, or is about to be, that stream of HTTP/2.
void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream);
/// Restores the program's options, and reads libcurl's last figures if the end is to be reported. After this the handle
/// no longer belongs to the transfer.
void wwt_transfer_conclude(wwt_transfer *transfer, enum wwt_end_how how, bool tell);
/// Reports the end, including what libcurl has sent since `conclude`, and frees the transfer. Returns the number of
/// transfers that still run.
uint32_t wwt_transfer_end(wwt_transfer *transfer);
/// Frees a transfer whose handle is gone. Returns the number of transfers that still run.
uint32_t wwt_transfer_forget(wwt_transfer *transfer);

/// The function that closes sockets for a transfer, with its client: it reports the kernel's last count, then calls the
/// program's own function. NULL if there are too many pairs to remember.
void *wwt_closer_for(wwt_closes closes);
int wwt_close_socket(void *closer, int socket);
/// Reports the kernel's count of each connection that is still open, as the program ends.
void wwt_tell_left_sockets(void);
/// Call in the child of a fork: the parent reports the sockets that are open.
void wwt_sockets_forked(void);
/// The kernel's count; if the socket is about to be closed, including the bytes that the kernel still has to send.
wwt_tcp wwt_read_tcp(int socket, bool is_closing);
/// The local port of a connection; 0 if the socket has none.
uint32_t wwt_local_port(int socket);

#endif
