// Frames of one transfer that wait to be sent.
#ifndef WWT_FRAMES_BUFFER_H
#define WWT_FRAMES_BUFFER_H

#include "CCurlTap.h"

/// How much may wait when nobody takes it.
#define WWT_MOST_WAITING (1u << 20)
/// A frame is a message on a socket, and that has a limit, too.
#define WWT_MOST_TEXT (16u << 10)
#define WWT_MOST_PIECE (16u << 10)

typedef struct wwt_frames {
    uint64_t transfer;
    uint8_t *bytes;
    size_t length, capacity;
    size_t open_head; // one more than the offset of a head frame that may still grow
    bool lost;        // a part could not be kept, so the rest would be misread
} wwt_frames;

/// Begins a frame whose body is to be appended. False when there is no memory: then all is lost.
bool wwt_frames_begin(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, size_t body);
void wwt_frames_append(wwt_frames *frames, const void *bytes, size_t count);
void wwt_frames_append_text(wwt_frames *frames, const char *text, size_t length);
/// The length of a text as far as it is told.
size_t wwt_text_length(const char *text);
/// A whole frame.
void wwt_frames_add(wwt_frames *frames, enum wwt_frame_kind kind, uint64_t when, const void *bytes, size_t count);
/// Bytes of a head; lines that follow each other share a frame.
void wwt_frames_add_head(wwt_frames *frames, enum wwt_frame_kind kind, const char *bytes, size_t count);
/// Sends them all, if the outlet takes them now.
void wwt_frames_send(wwt_frames *frames, bool last);

#endif
