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

// A whole connection, from the calls for its socket and its TLS sessions on. One that was begun keeps others waiting until it
// is freed, by the same thread.

typedef struct csc_play csc_play;
typedef struct csc_session csc_session;

/// A connection from 127.0.0.1:5000 to 10.0.0.1:3128, or that the other end has opened.
csc_play *csc_begin(bool is_server);
/// The bytes of its TLS are sent if no session has it.
void csc_pass_tls(csc_play *play);
/// From now on the output takes no bytes of TLS.
void csc_refuse_tls(csc_play *play);
/// Passes bytes of the connection itself to the client (`is_down`) or to the server; the kernel counts them.
void csc_pass(csc_play *play, bool is_down, const uint8_t *bytes, size_t count);
/// A TLS session of the program with that random of 32 bytes. Nothing else says which connection it has.
csc_session *csc_add_session(csc_play *play, const uint8_t *random);
/// Reports a step of its handshake; `is_done`: the last one.
void csc_shake_hands(csc_session *session, bool is_done);
/// Passes plaintext through it.
void csc_pass_plain(csc_session *session, bool is_down, const uint8_t *bytes, size_t count);
/// The descriptor is another socket from now on, which no call that is seen has opened.
void csc_reuse(csc_play *play);
/// How often it was asked which socket the descriptor is.
uint64_t csc_asked(const csc_play *play);
/// Whether the descriptor is held to be a connection.
bool csc_has_connection(const csc_play *play);
/// Closes the connection; returns all frames, which stay until it is freed.
const uint8_t *csc_close(csc_play *play, size_t *count);
void csc_free(csc_play *play);

// The reader of a ClientHello; the bytes are in memory that ends with them.

typedef struct csp_hello csp_hello;

csp_hello *csp_hello_begin(void);
void csp_hello_add(csp_hello *hello, const uint8_t *bytes, size_t count);
bool csp_hello_is_over(const csp_hello *hello);
/// 32 bytes; NULL if it has none.
const uint8_t *csp_hello_random(const csp_hello *hello);
const uint8_t *csp_hello_server_name(const csp_hello *hello, size_t *count);
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
const uint8_t *csp_answer_protocol(const csp_answer *answer, size_t *count);
/// The server's own certificate.
const uint8_t *csp_answer_certificate(const csp_answer *answer, size_t *count);
void csp_answer_free(csp_answer *answer);

// When the tap of libcurl turns on verbose mode.

/// A libcurl, and a handle of it that the program performs.
typedef struct csp_libcurl {
    uint32_t version;  // 0xXXYYZZ
    uint32_t features; // the bits of curl_version_info
    bool follows_sends, follows_http2; // the tap's hooks for what libcurl calls are in place
    bool has_http2;    // it has opened a session of HTTP/2
    bool is_verbose, asks_doh; // the handle's options
} csp_libcurl;

/// Whether a transfer may begin without verbose mode.
bool csp_begins_quietly(csp_libcurl libcurl);

/// Which transfers have got verbose mode: `inner` is performed by a callback of `outer`, and `other` by neither.
typedef struct csp_spoken {
    bool inner, outer_too_early, outer, other, has_http2;
} csp_spoken;

/// Performs them: libcurl sends, or opens a session of HTTP/2, for `inner`, and then sends for `outer`.
csp_spoken csp_perform(csp_libcurl libcurl, bool opens_http2);

// What moves the first instructions of a function.

typedef struct csp_moved {
    size_t taken, size; // 0 if it was refused
    uint8_t bytes[96];
    intptr_t goes_to;   // where the jump at its end goes to, from the function on
} csp_moved;

/// Moves code that begins with these bytes, in memory of 32 bytes, to a place that is that far away.
csp_moved csp_move_code(const uint8_t *bytes, size_t count, intptr_t distance);

/// Moves an instruction for arm64 from one address to another; `goes_to` is not set.
csp_moved csp_move_arm64(uint32_t instruction, uintptr_t from, uintptr_t to);

#endif
