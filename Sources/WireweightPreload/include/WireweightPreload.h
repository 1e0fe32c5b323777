// The tap in a program that knows nothing of it. Built as a shared library that the dynamic linker loads first
// (LD_PRELOAD); see the Makefile. It exports libcurl's names and nothing else.
#ifndef WIREWEIGHT_PRELOAD_H
#define WIREWEIGHT_PRELOAD_H

/// The environment variable that names the socket to tell.
#define WIREWEIGHT_SOCKET "WIREWEIGHT_SOCKET"
/// The environment variable that says how many bytes of each body to send along.
#define WIREWEIGHT_KEEP_BODY "WIREWEIGHT_KEEP_BODY"

#endif
