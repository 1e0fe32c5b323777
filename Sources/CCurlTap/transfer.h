// One transfer under the tap: from the program's call that hands it to libcurl until it is done or taken back.
#ifndef WWT_TRANSFER_H
#define WWT_TRANSFER_H

#include "handles.h"
#include "tap_frames.h"

typedef struct wwt_transfer wwt_transfer;

/// Sets our functions in place of the program's, and reports the start. NULL if there is no memory. `is_performed`: this
/// thread does nothing else until the transfer is over.
wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle, bool is_performed);
/// Sets verbose mode, if the transfer has begun without: from here on libcurl shows it.
void wwt_transfer_speak(wwt_transfer *transfer);
/// Sets our functions again, after the program has reset the handle.
void wwt_transfer_take_options(wwt_transfer *transfer);
/// Removes our values from the options that libcurl has copied from a transfer into a handle of its own. Returns that
/// transfer, or NULL if it is not known.
const void *wwt_transfer_take_over(wwt_handle *copy);
/// Whether the handle's debug function is ours.
bool wwt_is_our_debug(const wwt_handle *handle);
/// Records libcurl's verdict.
void wwt_transfer_result(wwt_transfer *transfer, CURLcode result);
/// Whether libcurl has returned its result; then it no longer uses the transfer.
bool wwt_transfer_has_result(const wwt_transfer *transfer);
/// Records that the transfer's request is, or is about to be, that stream of HTTP/2.
void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream);
/// Detaches a handle's transfer from it: restores the program's options, and reads libcurl's last figures if the end is
/// to be reported (`report`). NULL if the handle has no transfer.
wwt_transfer *wwt_transfer_detach(wwt_handle *handle, enum wwt_end_how how, bool report);
/// Reports the end of a detached transfer, including what libcurl has sent since, and frees it.
void wwt_transfer_finish(wwt_transfer *transfer);
/// Does both.
void wwt_transfer_end(wwt_handle *handle, enum wwt_end_how how, bool report);
/// Call when libcurl is done with a handle of its own, which it will free without the tap seeing it.
void wwt_end_libcurls(CURL *easy);
/// Frees a transfer whose handle is gone. Returns the number of transfers that still run.
uint32_t wwt_transfer_forget(wwt_transfer *transfer);

#endif
