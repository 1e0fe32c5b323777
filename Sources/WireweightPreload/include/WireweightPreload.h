// The tap in a program that was not built with it: a shared library that the dynamic linker loads first (LD_PRELOAD);
// see the Makefile. It exports names of libcurl, of TLS libraries, and of the C library's functions for sockets and for
// starting programs.
#ifndef WIREWEIGHT_PRELOAD_H
#define WIREWEIGHT_PRELOAD_H

/// The environment variable with the path of the command's socket.
#define WIREWEIGHT_SOCKET "WIREWEIGHT_SOCKET"
/// The environment variable with the number of bytes of each body to send along.
#define WIREWEIGHT_KEEP_BODY "WIREWEIGHT_KEEP_BODY"
/// The environment variable that, if it is set, says that bodies get no digests.
#define WIREWEIGHT_NO_DIGESTS "WIREWEIGHT_NO_DIGESTS"
/// The environment variable that is `off` if only libcurl is to be metered.
#define WIREWEIGHT_STREAMS "WIREWEIGHT_STREAMS"

/// The environment variable that, if it is set, says that the command reads the file that `SSLKEYLOGFILE` names.
#define WIREWEIGHT_TLS_KEYS "WIREWEIGHT_TLS_KEYS"

#endif
