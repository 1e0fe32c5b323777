// Sends the tap's frames out of the program, through a socket to the command.
#ifndef WIREWEIGHT_CHANNEL_H
#define WIREWEIGHT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Remembers the path of the socket. False if there is none, or it is too long.
bool channel_open(const char *path);
/// An emit function; it connects when it is first called.
bool channel_emit(void *context, const uint8_t *frames, size_t count, bool last);
/// Connects now, if that was not done yet: later the program may not be allowed to.
void channel_hold(void);
/// Announces the program on a connection of its own, which is closed at once. So a program that never uses libcurl
/// keeps no descriptor of ours.
void channel_announce(void);
/// Sends a message over a connection of its own; returns its descriptor, which an exec closes, or -1. Works in the child
/// of a vfork: it changes nothing but errno, and needs the stack only.
int channel_open_apart(const void *message, size_t count);
/// Sends one more message over such a connection, if there is one, and closes it.
void channel_close_apart(int apart, const void *message, size_t count);
/// Call before the program closes these descriptors, ours perhaps among them.
void channel_closing(unsigned first, unsigned last);
/// Sends the waiting messages; gives up after a short while without progress.
void channel_finish(void);
/// Call in the child of a fork: the connection belongs to the parent.
void channel_forked(void);

#endif
