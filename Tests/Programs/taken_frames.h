// For programs that start the tap themselves: takes its frames, and adds up what they report.
#ifndef TAKEN_FRAMES_H
#define TAKEN_FRAMES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CStreamHooks.h"

enum { MOST_TRANSFERS = 1 << 12 };

typedef struct taken {
    wwt_ring *ring;
    unsigned long begun, ended, connections;
    unsigned long heads_out, heads_in;
    unsigned long bodies_out[MOST_TRANSFERS], bodies_in[MOST_TRANSFERS];
} taken;

static void take_frame(taken *taken, const wwt_frame *frame, const unsigned char *body) {
    unsigned long count = frame->size - sizeof *frame;
    wwt_body passed;
    switch (frame->kind) {
    case WWT_BEGIN: case WWT_BEGIN_STREAM: taken->begun++; break;
    case WWT_END: taken->ended++; break;
    case WWT_SOCKET_CLOSED: taken->connections++; break;
    case WWT_HEAD_OUT: taken->heads_out += count; break;
    case WWT_HEAD_IN: taken->heads_in += count; break;
    case WWT_BODY_OUT: case WWT_BODY_IN:
        memcpy(&passed, body, sizeof passed);
        (frame->kind == WWT_BODY_OUT ? taken->bodies_out : taken->bodies_in)[frame->transfer % MOST_TRANSFERS] = passed.bytes;
    }
}

static void take_frames(taken *taken) {
    static unsigned char bytes[1 << 20];
    size_t count;
    while ((count = wwt_ring_read(taken->ring, bytes, sizeof bytes, 0, 0)) > 0) {
        for (size_t done = 0; done < count;) {
            wwt_frame frame;
            memcpy(&frame, bytes + done, sizeof frame);
            take_frame(taken, &frame, bytes + done + sizeof frame);
            done += frame.size;
        }
    }
}

static enum wwt_status start_tap(taken *taken) {
    if (!taken->ring) taken->ring = wwt_ring_create(4 << 20);
    wwt_settings settings = {.emit = wwt_ring_emit, .context = taken->ring};
    return wws_start_in_process(&settings);
}

/// Prints what has passed: exchanges, ended ones, closed connections, bytes up and down.
static void print_taken(taken *taken) {
    take_frames(taken);
    unsigned long up = taken->heads_out, down = taken->heads_in;
    for (int i = 0; i < MOST_TRANSFERS; i++) up += taken->bodies_out[i], down += taken->bodies_in[i];
    printf("%lu begun, %lu ended, %lu closed, %lu up, %lu down\n", taken->begun, taken->ended, taken->connections, up, down);
    wwt_ring *ring = taken->ring;
    memset(taken, 0, sizeof *taken);
    taken->ring = ring;
}

#endif
