// The tap in a program that was not built with it: a shared library that the dynamic linker loads first (LD_PRELOAD);
// see the Makefile. It exports libcurl's names and nothing else.
#ifndef WIREWEIGHT_PRELOAD_H
#define WIREWEIGHT_PRELOAD_H

/// The environment variable with the path of the command's socket.
#define WIREWEIGHT_SOCKET "WIREWEIGHT_SOCKET"
/// The environment variable with the number of bytes of each body to send along.
#define WIREWEIGHT_KEEP_BODY "WIREWEIGHT_KEEP_BODY"

#endif
