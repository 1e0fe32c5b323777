// Measures a body while it passes, before it is known to be chunked or not: other code reads those headers, later. So
// the meter counts it both ways, and the caller picks the right count.
#ifndef WW_BODY_METER_H
#define WW_BODY_METER_H

#include <stdbool.h>
#include <string.h>

#include "chunk_scanner.h"
#include "xxh3.h"

typedef struct ww_body_meter {
    uint64_t bytes;           // as received
    ww_xxh3 digest;          // of the bytes as received
    ww_chunk_scanner chunks;  // the same bytes read as a chunked body
    ww_xxh3 content_digest;  // of the chunks' content
    uint8_t tail[4];          // the last four bytes as received; in gzip: the decoded size (RFC 1952, section 2.3.1)
    uint8_t content_tail[4];  // the last four bytes of the chunks' content
    bool skips_digests;       // both digests are those of no bytes
} ww_body_meter;

static inline void ww_body_meter_begin(ww_body_meter *meter, bool skips_digests) {
    meter->bytes = 0;
    meter->skips_digests = skips_digests;
    ww_xxh3_begin(&meter->digest);
    memset(&meter->chunks, 0, sizeof meter->chunks);
    ww_xxh3_begin(&meter->content_digest);
    memset(meter->tail, 0, sizeof meter->tail);
    memset(meter->content_tail, 0, sizeof meter->content_tail);
}

static inline void ww_keep_tail(uint8_t tail[4], const uint8_t *bytes, size_t count) {
    if (count >= 4) {
        memcpy(tail, bytes + count - 4, 4);
        return;
    }
    memmove(tail, tail + count, 4 - count);
    memcpy(tail + 4 - count, bytes, count);
}

static inline void ww_body_meter_add(ww_body_meter *meter, const uint8_t *bytes, size_t count) {
    meter->bytes += count;
    if (!meter->skips_digests) ww_xxh3_add(&meter->digest, bytes, count);
    ww_keep_tail(meter->tail, bytes, count);
    while (count && meter->chunks.state != WW_CHUNK_BROKEN) {
        bool is_content;
        size_t run = ww_chunk_scan(&meter->chunks, bytes, count, &is_content);
        if (is_content) {
            if (!meter->skips_digests) ww_xxh3_add(&meter->content_digest, bytes, run);
            ww_keep_tail(meter->content_tail, bytes, run);
        }
        bytes += run;
        count -= run;
    }
    meter->chunks.framing += count; // after bytes that break the rules, nothing counts as content
}

#endif
