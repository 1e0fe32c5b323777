// The frames of one transfer that wait to be sent.
#ifndef WWT_FRAME_BUFFER_H
#define WWT_FRAME_BUFFER_H

#include "CCurlTap.h"
#include "body_meter.h"

/// How many bytes may wait while the output does not take them.
#define WWT_MOST_WAITING (1u << 20)
/// A frame is one message on a socket, and messages have a size limit. So texts are cut, and long runs of bytes are
/// split.
#define WWT_MOST_TEXT (16u << 10)
#define WWT_MOST_PIECE (16u << 10)

typedef struct wwt_frames {
    uint64_t transfer;
    uint8_t *bytes;
    size_t length, capacity;
    size_t open_head; // one more than the offset of a WWT_HEAD_… frame that may still grow
    bool lost;        // a part could not be kept, so the rest would be misread
} wwt_frames;

/// Starts a frame whose body is then appended. False if there is no memory: then all waiting frames are lost.
bool wwt_frames_begin(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, size_t body);
void wwt_frames_append(wwt_frames *frames, const void *bytes, size_t count);
void wwt_frames_append_text(wwt_frames *frames, const char *text, size_t length);
/// The length of a text, cut to the part that is sent.
size_t wwt_text_length(const char *text);
/// Adds a whole frame.
void wwt_frames_add(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, const void *bytes, size_t count);
/// Adds bytes of a start line and headers; consecutive lines share a frame.
void wwt_frames_add_head(wwt_frames *frames, enum wwt_frame_kind kind, const char *bytes, size_t count);
/// Adds what a meter has counted of a body, whose bytes passed between those moments.
void wwt_frames_add_body(
    wwt_frames *frames, enum wwt_frame_kind kind, const ww_body_meter *meter, uint64_t first, uint64_t last);
/// Sends them all, if the output takes them now.
void wwt_frames_send(wwt_frames *frames, bool last);

#endif
