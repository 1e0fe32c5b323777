#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "frame_buffer.h"
#include "frame_output.h"

static bool reserve(wwt_frames *frames, size_t more) {
    if (frames->length + more <= frames->capacity) return true;
    size_t capacity = frames->capacity ? frames->capacity : 2048;
    while (capacity < frames->length + more) capacity *= 2;
    uint8_t *bytes = capacity <= WWT_MOST_WAITING + WWT_FRAME_MAX ? realloc(frames->bytes, capacity) : NULL;
    if (!bytes) {
        frames->lost = true;
        frames->length = 0;
        return false;
    }
    frames->bytes = bytes;
    frames->capacity = capacity;
    return true;
}

void wwt_frames_append(wwt_frames *frames, const void *bytes, size_t count) {
    memcpy(frames->bytes + frames->length, bytes, count);
    frames->length += count;
}

bool wwt_frames_begin(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, size_t body) {
    frames->open_head = 0;
    if (frames->lost || !reserve(frames, sizeof(wwt_frame) + body)) return false;
    wwt_frame frame = {(uint32_t)(sizeof frame + body), kind, frames->transfer, when};
    wwt_frames_append(frames, &frame, sizeof frame);
    return true;
}

void wwt_frames_append_text(wwt_frames *frames, const char *text, size_t length) {
    uint32_t count = (uint32_t)length;
    wwt_frames_append(frames, &count, sizeof count);
    wwt_frames_append(frames, text, length);
}

size_t wwt_text_length(const char *text) {
    size_t length = text ? strlen(text) : 0;
    return length < WWT_MOST_TEXT ? length : WWT_MOST_TEXT;
}

void wwt_frames_add(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, const void *bytes, size_t count) {
    if (wwt_frames_begin(frames, kind, when, count)) wwt_frames_append(frames, bytes, count);
}

void wwt_frames_add_head(wwt_frames *frames, enum wwt_frame_kind kind, const char *bytes, size_t count) {
    while (count) {
        wwt_frame frame;
        size_t offset = frames->open_head;
        if (offset) memcpy(&frame, frames->bytes + offset - 1, sizeof frame);
        size_t piece = count < WWT_MOST_PIECE ? count : WWT_MOST_PIECE;
        if (offset && frame.kind == kind && frame.size + piece <= 3 * WWT_MOST_PIECE) {
            if (!reserve(frames, piece)) return;
            wwt_frames_append(frames, bytes, piece);
            frame.size += (uint32_t)piece;
            memcpy(frames->bytes + offset - 1, &frame, sizeof frame);
        } else {
            size_t start = frames->length;
            if (!wwt_frames_begin(frames, kind, wwt_now(), piece)) return;
            wwt_frames_append(frames, bytes, piece);
            frames->open_head = start + 1;
        }
        bytes += piece;
        count -= piece;
    }
}

void wwt_frames_add_body(
    wwt_frames *frames, enum wwt_frame_kind kind, const ww_body_meter *meter, uint64_t first, uint64_t last) {
    wwt_body body = {
        .bytes = meter->bytes,
        .digest = meter->skips_digests ? 0 : ww_xxh3_digest(&meter->digest),
        .chunk_content = meter->chunks.content,
        .chunk_framing = meter->chunks.framing,
        .chunk_digest = meter->skips_digests ? 0 : ww_xxh3_digest(&meter->content_digest),
        .chunk_state = meter->chunks.state,
        .has_digests = !meter->skips_digests,
        .first = first,
        .last = last,
    };
    memcpy(body.tail, meter->tail, 4);
    memcpy(body.chunk_tail, meter->content_tail, 4);
    wwt_frames_add(frames, kind, last, &body, sizeof body);
}

void wwt_frames_send(wwt_frames *frames, bool last) {
    frames->open_head = 0;
    if (frames->length == 0 || frames->lost) return;
    if (wwt_output_emit(frames->bytes, frames->length, last)) {
        frames->length = 0;
    } else if (frames->length > WWT_MOST_WAITING) {
        frames->lost = true;
        frames->length = 0;
    }
}

#endif
