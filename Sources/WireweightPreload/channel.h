// The way out of the program: a socket to the command.
#ifndef WIREWEIGHT_CHANNEL_H
#define WIREWEIGHT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Remembers where the socket is. False: there is none to tell.
bool channel_open(const char *path);
/// An emit function; connects when it is first needed.
bool channel_emit(void *context, const uint8_t *frames, size_t count, bool last);
/// Says that a program has begun, on a connection of its own that is closed at once: a program that never uses libcurl
/// keeps no descriptor of ours.
void channel_announce(void);
/// Sends what waits, for a short while.
void channel_finish(void);
/// In the child of a fork: the connection is the parent's.
void channel_forked(void);

#endif
