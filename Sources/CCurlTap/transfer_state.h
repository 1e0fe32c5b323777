// What the tap knows about a transfer, for the files that follow one.
#ifndef WWT_TRANSFER_STATE_H
#define WWT_TRANSFER_STATE_H

#include "CHTTPWire.h"
#include "frame_buffer.h"
#include "http2.h"
#include "sockets.h"
#include "transfer.h"
#include "transfer_info.h"

struct wwt_transfer {
    uint32_t generation;
    CURLcode result;
    bool has_result;
    bool head_complete;      // the request's headers ended with their empty line
    bool head_begun;
    bool foreign;            // not HTTP, until the next request
    bool asks;               // resolves names over HTTPS
    bool tunnels;            // the request is a CONNECT
    bool asks_websocket;     // by its field `Upgrade`
    bool url_is_foreign;     // the request's URL is not one of HTTP: it went to a proxy
    bool in_complete;        // the response's headers ended with their empty line
    bool becomes_http2;      // by a 101
    uint16_t status;         // of the newest response
    int64_t heads;           // bytes of responses' status lines and headers
    bool has_ends;           // `ends` are those of its connection, found without libcurl
    bool is_silent;          // its end is not reported
    bool was_in;             // the last piece that libcurl showed was a part of a response
    bool is_done;            // right after a piece of a response, libcurl has said that it is done
    bool is_quiet;           // verbose mode is not set yet
    bool out_reported, in_reported;  // the meters have not moved since the last report
    uint8_t head_matched;    // how many bytes of CR LF CR LF have just passed
    wwt_ends ends;
    long ends_connects;      // how many connections had been opened when they were found
    int64_t turned_at;       // when libcurl moved on to the request that it showed last
    wwt_library *library;
    wwt_handle *handle;
    wwt_frames frames;
    wwt_frames contents; // kept content of bodies, in frames of its own because it gives way to all others
    uint64_t reported_at, unreported_bytes;
    uint64_t out_first, out_last, in_first, in_last;
    uint32_t out_kept, in_kept;
    int64_t connects_reported;
    wwt_http2_id http2; // the session that carries it
    ww_body_meter out, in;
};

/// Frees it, or keeps it for the next transfer.
void wwt_transfer_free(wwt_transfer *transfer);
/// The handle to ask about it.
wwt_source wwt_transfer_source(const wwt_transfer *transfer);
/// Adds frames about the bodies that have moved since the last ones.
void wwt_transfer_report_meters(wwt_transfer *transfer);
void wwt_transfer_send(wwt_transfer *transfer, uint64_t now, bool last);
/// Call with each piece that libcurl shows.
void wwt_transfer_see(wwt_transfer *transfer, int type, const char *bytes, size_t count);
/// Our debug function; its client is the transfer.
int wwt_debug_function(CURL *easy, int type, char *bytes, size_t count, void *user);

#endif
