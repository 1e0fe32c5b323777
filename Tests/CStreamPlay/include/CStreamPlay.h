// Plays the bytes of a connection to the stream tap of a test, without sockets, and gathers the frames that it sends; and
// gives bytes to parts of the tap that read them alone.
#ifndef CSTREAMPLAY_H
#define CSTREAMPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct csp_play csp_play;

/// A connection from 127.0.0.1:5000 to 10.0.0.1:443 or, without TLS, port 80. `is_server`: that the other end has opened.
csp_play *csp_begin(bool is_secure, bool is_server);
/// Passes bytes to the client (`is_down`) or to the server, in memory that ends with them.
void csp_pass(csp_play *play, bool is_down, const uint8_t *bytes, size_t count);
/// From now on that many of the bytes that were sent wait in the kernel.
void csp_queue(csp_play *play, uint64_t count);
/// From now on the output takes no frames, or takes them again; or drops them as if it had sent them.
void csp_refuse(csp_play *play, bool refuses);
void csp_drop(csp_play *play, bool drops);
/// Whether the connection was given up.
bool csp_is_lost(const csp_play *play);
/// Closes the connection, after the peer has ended it or not, or after a call has failed with that errno; or ends the
/// program.
void csp_close(csp_play *play, bool has_peer_ended, int error);
void csp_abandon(csp_play *play);
/// All frames so far.
const uint8_t *csp_frames(const csp_play *play, size_t *count);
void csp_free(csp_play *play);

// The reader of a ClientHello; the bytes are in memory that ends with them.

typedef struct csp_hello csp_hello;

csp_hello *csp_hello_begin(void);
void csp_hello_add(csp_hello *hello, const uint8_t *bytes, size_t count);
bool csp_hello_is_over(const csp_hello *hello);
/// 32 bytes; NULL if it has none.
const uint8_t *csp_hello_random(const csp_hello *hello);
const char *csp_hello_server_name(const csp_hello *hello);
/// Each with its length before it.
const uint8_t *csp_hello_protocols(const csp_hello *hello, size_t *count);
void csp_hello_free(csp_hello *hello);

// The reader of what a server says in the clear; the same.

typedef struct csp_answer csp_answer;

csp_answer *csp_answer_begin(void);
void csp_answer_add(csp_answer *answer, const uint8_t *bytes, size_t count);
bool csp_answer_is_over(const csp_answer *answer);
/// Version, cipher suite, `wwt_resumption`, and bytes of the certificates; false without a ServerHello.
bool csp_answer_numbers(const csp_answer *answer, uint32_t numbers[4]);
const char *csp_answer_protocol(const csp_answer *answer);
/// The server's own certificate.
const uint8_t *csp_answer_certificate(const csp_answer *answer, size_t *count);
void csp_answer_free(csp_answer *answer);

// What moves the first instructions of a function.

typedef struct csp_moved {
    size_t taken, size; // 0 if it was refused
    uint8_t bytes[96];
    intptr_t goes_to;   // where the jump at its end goes to, from the function on
} csp_moved;

/// Moves code that begins with these bytes, in memory of 32 bytes, to a place that is that far away.
csp_moved csp_move_code(const uint8_t *bytes, size_t count, intptr_t distance);

#endif
