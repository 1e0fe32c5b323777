// Gathers the bytes of HTTP/2's frames into parts, as WWT_HTTP2 carries them.
#ifndef WWT_HTTP2_PARTS_H
#define WWT_HTTP2_PARTS_H

#include "CHTTPWire.h"
#include "tap_frames.h"

/// How many parts a frame of the tap carries.
#define WWT_MOST_PARTS 64

static inline uint8_t wwt_http2_part_flags(const ww_http2_piece *piece) {
    return piece->ends ? piece->flags : piece->flags & (uint8_t)~WW_HTTP2_END_STREAM;
}

/// Adds bytes to the newest part, if they continue it.
static inline bool wwt_http2_part_grows(wwt_http2_part *newest, bool is_down, const ww_http2_piece *piece) {
    if (newest->stream != piece->stream || newest->is_down != is_down || newest->type != piece->type) return false;
    if ((piece->type != WW_HTTP2_DATA && piece->begins) || newest->overhead >= UINT32_MAX / 2) return false;
    newest->flags |= wwt_http2_part_flags(piece);
    newest->overhead += piece->overhead;
    newest->content += piece->content;
    return true;
}

static inline wwt_http2_part wwt_http2_part_of(bool is_down, const ww_http2_piece *piece) {
    return (wwt_http2_part){
        .stream = piece->stream, .type = piece->type, .flags = wwt_http2_part_flags(piece), .is_down = is_down,
        .begins = piece->begins, .overhead = piece->overhead, .content = piece->content,
    };
}

/// An incomplete frame header, which remains if a connection is cut inside one: its stream will never be known.
static inline ww_http2_piece wwt_http2_rest(const ww_http2_scanner *scanner) {
    bool is_cut = scanner->header_count < WW_HTTP2_HEADER_SIZE;
    return (ww_http2_piece){.type = WW_HTTP2_PREFACE, .overhead = is_cut ? scanner->header_count : 0};
}

#endif
