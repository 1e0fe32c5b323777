// What each hook of a TLS library's function does: calls the function of the library that is meant, and reports the
// plaintext. Which library that is, the hooks differ in.
#ifndef WIREWEIGHT_TLS_FUNCTIONS_H
#define WIREWEIGHT_TLS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CStreamTap.h"
#include "dependencies.h"

typedef struct datum {
    unsigned char *data;
    unsigned size;
} datum;

/// What a BIO of OpenSSL does, by the functions of its kind.
typedef int bio_read(void *, char *, size_t, size_t *);
typedef int bio_write(void *, const char *, size_t, size_t *);
typedef long bio_control(void *, int, long, void *);
typedef int bio_destroy(void *);

/// The functions of one TLS library; NULL if it has none of that name.
typedef struct tls_functions {
    int (*SSL_read)(void *, void *, int);
    int (*SSL_write)(void *, const void *, int);
    int (*SSL_read_ex)(void *, void *, size_t, size_t *);
    int (*SSL_write_ex)(void *, const void *, size_t, size_t *);
    int (*SSL_write_ex2)(void *, const void *, size_t, uint64_t, size_t *);
    int (*SSL_write_early_data)(void *, const void *, size_t, size_t *);
    int (*SSL_read_early_data)(void *, void *, size_t, size_t *);
    int (*SSL_connect)(void *);
    int (*SSL_accept)(void *);
    int (*SSL_do_handshake)(void *);
    int (*SSL_up_ref)(void *);
    void (*SSL_free)(void *);
    const void *(*BIO_f_ssl)(void);
    void *(*BIO_new_ssl)(void *, int);
    void *(*BIO_new_ssl_connect)(void *);
    void *(*BIO_new_buffer_ssl_connect)(void *);
    bio_read *(*BIO_meth_get_read_ex)(const void *);
    bio_write *(*BIO_meth_get_write_ex)(const void *);
    bio_control *(*BIO_meth_get_ctrl)(const void *);
    bio_destroy *(*BIO_meth_get_destroy)(const void *);
    int (*BIO_meth_set_read_ex)(void *, bio_read *);
    int (*BIO_meth_set_write_ex)(void *, bio_write *);
    int (*BIO_meth_set_ctrl)(void *, bio_control *);
    int (*BIO_meth_set_destroy)(void *, bio_destroy *);
    int (*BIO_get_shutdown)(void *);
    ssize_t (*gnutls_record_recv)(void *, void *, size_t);
    ssize_t (*gnutls_record_recv_seq)(void *, void *, size_t, unsigned char *);
    ssize_t (*gnutls_record_recv_packet)(void *, void **);
    void (*gnutls_packet_get)(const void *, datum *, unsigned char *);
    ssize_t (*gnutls_record_send)(void *, const void *, size_t);
    ssize_t (*gnutls_record_send2)(void *, const void *, size_t, size_t, unsigned);
    int (*gnutls_record_uncork)(void *, unsigned);
    int (*gnutls_handshake)(void *);
    void (*gnutls_deinit)(void *);
    int32_t (*PR_Read)(void *, void *, int32_t);
    int32_t (*PR_Recv)(void *, void *, int32_t, int, uint32_t);
    int32_t (*PR_Write)(void *, const void *, int32_t);
    int32_t (*PR_Send)(void *, const void *, int32_t, int, uint32_t);
    int32_t (*PR_Writev)(void *, const void *, int32_t, uint32_t);
    int (*PR_Close)(void *);
    int (*SSL_ForceHandshake)(void *);
    void *(*PR_GetIdentitiesLayer)(void *, int);
    const char *(*PR_GetNameForIdentity)(int);
} tls_functions;

/// Those by which a program gets the first BIO of a session.
#define EACH_BIO_HOOK(X) X(BIO_f_ssl) X(BIO_new_ssl) X(BIO_new_ssl_connect) X(BIO_new_buffer_ssl_connect)
#define EACH_BIO_QUESTION(X) \
    X(BIO_meth_get_read_ex) X(BIO_meth_get_write_ex) X(BIO_meth_get_ctrl) X(BIO_meth_get_destroy) \
    X(BIO_meth_set_read_ex) X(BIO_meth_set_write_ex) X(BIO_meth_set_ctrl) X(BIO_meth_set_destroy) X(BIO_get_shutdown)
#define EACH_HOOKED_FUNCTION(X) \
    X(SSL_read) X(SSL_write) X(SSL_read_ex) X(SSL_write_ex) X(SSL_write_ex2) X(SSL_write_early_data) \
    X(SSL_read_early_data) X(SSL_connect) X(SSL_accept) X(SSL_do_handshake) X(SSL_up_ref) X(SSL_free) \
    EACH_BIO_HOOK(X) \
    X(gnutls_record_recv) X(gnutls_record_recv_seq) X(gnutls_record_recv_packet) X(gnutls_record_send) \
    X(gnutls_record_send2) X(gnutls_record_uncork) X(gnutls_handshake) X(gnutls_deinit) \
    X(PR_Read) X(PR_Recv) X(PR_Write) X(PR_Send) X(PR_Writev) X(PR_Close) X(SSL_ForceHandshake)
#define EACH_FUNCTION(X) \
    EACH_HOOKED_FUNCTION(X) EACH_BIO_QUESTION(X) X(gnutls_packet_get) X(PR_GetIdentitiesLayer) X(PR_GetNameForIdentity)

#define EACH_QUESTION(X) \
    X(SSL_get_fd) X(SSL_get_rbio) X(SSL_get_client_random) X(SSL_is_server) X(SSL_get_shutdown) \
    X(gnutls_transport_get_ptr) X(gnutls_session_get_random) X(PR_FileDesc2NativeHandle)

typedef struct tls {
    const void *mark; // the address of the library
    tls_functions next;
    wws_tls_library asked;
    wwt_tls_words words;
    int layer; // of NSS: what its layers of TLS are called, in this process; 0 while that is not known
} tls;

/// A call that a thread makes, and where on its stack.
typedef struct running {
    const void *session;
    const char *frame;
} running;

/// The call by which this thread sends plaintext, and the one by which it receives. A function that calls another one of
/// these for the same session and direction passes the same bytes. But a callback may send from inside a call that
/// receives. And a call may never return, because the program jumps out of it, or return after others, because the thread
/// goes on with another stack: so only a call a little way up the same stack is one that a call is inside of.
extern __thread running wireweight_sending, wireweight_receiving;
/// Whose function runs on this thread.
extern __thread const tls *wireweight_current;

typedef struct call {
    running own, outside;
    const tls *library, *before;
    bool is_sending;
    bool counts;
} call;

/// How far up the stack the call is at most that another one is inside of.
#define NEAR_ON_STACK 4096

static inline __attribute__((always_inline)) call begin_call(bool is_sending, const void *session, const tls *library) {
    running *direction = is_sending ? &wireweight_sending : &wireweight_receiving;
    running own = {session, __builtin_frame_address(0)};
    bool is_inside = direction->session == session && direction->frame > own.frame
        && direction->frame - own.frame < NEAR_ON_STACK;
    call call = {own, is_inside ? *direction : (running){0}, library, wireweight_current, is_sending, !is_inside};
    *direction = own;
    wireweight_current = library;
    if (!is_inside) wws_tls_begins(&library->asked, session);
    return call;
}

static inline __attribute__((always_inline)) call sends(const tls *library, const void *session) {
    return begin_call(true, session, library);
}

static inline __attribute__((always_inline)) call receives(const tls *library, const void *session) {
    return begin_call(false, session, library);
}

static inline void end_call(const call *call) {
    running *direction = call->is_sending ? &wireweight_sending : &wireweight_receiving;
    if (direction->session == call->own.session && direction->frame == call->own.frame) *direction = call->outside;
    wireweight_current = call->before;
    if (call->counts) wws_tls_ends(&call->library->asked);
}

static inline ssize_t received(const call *call, const void *session, const void *bytes, ssize_t count) {
    end_call(call);
    if (call->counts) wws_tls_received(&call->library->asked, session, bytes, count);
    return count;
}

static inline ssize_t sent(const call *call, const void *session, const void *bytes, ssize_t count) {
    end_call(call);
    if (call->counts) wws_tls_sent(&call->library->asked, session, bytes, count);
    return count;
}

static inline int shaken(const call *call, const void *session, int result, bool is_done) {
    end_call(call);
    if (call->counts) wws_tls_handshake(&call->library->asked, session, is_done);
    return result;
}

/// The library that a caller means by that function. It never comes back without one.
const tls *wireweight_library_of(const void *caller, const char *name);

/// The functions of a library, as `find` finds them by their names.
tls wireweight_find_functions(const void *mark, void *handle, void *(*find)(void *handle, const char *name));

/// Whether a caller would find a library's function if we were not there.
bool wireweight_has_next(const void *caller, const char *name);

// MARK: OpenSSL

static inline int do_SSL_read(const tls *library, void *session, void *bytes, int count) {
    call call = receives(library, session);
    return (int)received(&call, session, bytes, library->next.SSL_read(session, bytes, count));
}

static inline int do_SSL_read_ex(const tls *library, void *session, void *bytes, size_t count, size_t *taken) {
    call call = receives(library, session);
    int result = library->next.SSL_read_ex(session, bytes, count, taken);
    received(&call, session, bytes, result == 1 ? (ssize_t)*taken : -1);
    return result;
}

static inline int do_SSL_write(const tls *library, void *session, const void *bytes, int count) {
    call call = sends(library, session);
    return (int)sent(&call, session, bytes, library->next.SSL_write(session, bytes, count));
}

static inline int do_SSL_write_ex(const tls *library, void *session, const void *bytes, size_t count, size_t *taken) {
    call call = sends(library, session);
    int result = library->next.SSL_write_ex(session, bytes, count, taken);
    sent(&call, session, bytes, result == 1 ? (ssize_t)*taken : -1);
    return result;
}

static inline int do_SSL_write_early_data(
    const tls *library, void *session, const void *bytes, size_t count, size_t *taken) {
    call call = sends(library, session);
    int result = library->next.SSL_write_early_data(session, bytes, count, taken);
    sent(&call, session, bytes, result == 1 ? (ssize_t)*taken : -1);
    return result;
}

/// A server that takes early data uses it in place of the first steps of the handshake.
static inline int do_SSL_read_early_data(const tls *library, void *session, void *bytes, size_t count, size_t *taken) {
    enum { FAILED = 0 };
    call call = receives(library, session);
    int result = library->next.SSL_read_early_data(session, bytes, count, taken);
    received(&call, session, bytes, result != FAILED && *taken ? (ssize_t)*taken : -1);
    return result;
}

static inline int do_SSL_connect(const tls *library, void *session) {
    call call = receives(library, session);
    int result = library->next.SSL_connect(session);
    return shaken(&call, session, result, result == 1);
}

static inline int do_SSL_accept(const tls *library, void *session) {
    call call = receives(library, session);
    int result = library->next.SSL_accept(session);
    return shaken(&call, session, result, result == 1);
}

static inline int do_SSL_do_handshake(const tls *library, void *session) {
    call call = receives(library, session);
    int result = library->next.SSL_do_handshake(session);
    return shaken(&call, session, result, result == 1);
}

static inline int do_SSL_up_ref(const tls *library, void *session) {
    int result = library->next.SSL_up_ref(session);
    if (result == 1) wws_tls_kept(session);
    return result;
}

static inline void do_SSL_free(const tls *library, void *session) {
    if (session) wws_tls_freed(session);
    library->next.SSL_free(session);
}

/// OpenSSL has it from 3.3 on.
static inline int do_SSL_write_ex2(
    const tls *library, void *session, const void *bytes, size_t count, uint64_t flags, size_t *taken) {
    call call = sends(library, session);
    int result = library->next.SSL_write_ex2(session, bytes, count, flags, taken);
    sent(&call, session, bytes, result == 1 ? (ssize_t)*taken : -1);
    return result;
}

/// Has what sessions send and receive by a BIO of that library reported from now on. Call before a program gets its first one.
void wireweight_hook_bios(const tls *library);
/// Ends that for all libraries.
void wireweight_unhook_bios(void);

static inline const void *do_BIO_f_ssl(const tls *library) {
    wireweight_hook_bios(library);
    return library->next.BIO_f_ssl();
}

static inline void *do_BIO_new_ssl(const tls *library, void *context, int is_client) {
    wireweight_hook_bios(library);
    return library->next.BIO_new_ssl(context, is_client);
}

static inline void *do_BIO_new_ssl_connect(const tls *library, void *context) {
    wireweight_hook_bios(library);
    return library->next.BIO_new_ssl_connect(context);
}

static inline void *do_BIO_new_buffer_ssl_connect(const tls *library, void *context) {
    wireweight_hook_bios(library);
    return library->next.BIO_new_buffer_ssl_connect(context);
}

// MARK: hooks of one library each, which know by their number which

#define EACH_NUMBERED_HOOK(X) \
    X(SSL_read) X(SSL_write) X(SSL_free) X(SSL_connect) X(SSL_do_handshake) X(SSL_read_ex) X(SSL_write_ex) \
    X(SSL_write_ex2) X(SSL_write_early_data) X(SSL_read_early_data) X(SSL_accept) X(SSL_up_ref)

#define NUMBERED_HOOK_TABLE(number) \
    hook_SSL_read_##number, hook_SSL_write_##number, hook_SSL_free_##number, hook_SSL_connect_##number, \
    hook_SSL_do_handshake_##number, hook_SSL_read_ex_##number, hook_SSL_write_ex_##number, \
    hook_SSL_write_ex2_##number, hook_SSL_write_early_data_##number, hook_SSL_read_early_data_##number, \
    hook_SSL_accept_##number, hook_SSL_up_ref_##number

#define BIO_HOOK_TABLE(number) \
    hook_BIO_f_ssl_##number, hook_BIO_new_ssl_##number, hook_BIO_new_ssl_connect_##number, \
    hook_BIO_new_buffer_ssl_connect_##number

/// The same for the functions by which a program gets a BIO.
#define BIO_HOOKS(number, libraries) \
    static const void *hook_BIO_f_ssl_##number(void) { return do_BIO_f_ssl(&libraries[number]); } \
    static void *hook_BIO_new_ssl_##number(void *context, int is_client) { \
        return do_BIO_new_ssl(&libraries[number], context, is_client); \
    } \
    static void *hook_BIO_new_ssl_connect_##number(void *context) { \
        return do_BIO_new_ssl_connect(&libraries[number], context); \
    } \
    static void *hook_BIO_new_buffer_ssl_connect_##number(void *context) { \
        return do_BIO_new_buffer_ssl_connect(&libraries[number], context); \
    }

/// `libraries`: where the one of that number is.
#define NUMBERED_HOOKS(number, libraries) \
    static int hook_SSL_read_##number(void *session, void *bytes, int count) { \
        return do_SSL_read(&libraries[number], session, bytes, count); \
    } \
    static int hook_SSL_write_##number(void *session, const void *bytes, int count) { \
        return do_SSL_write(&libraries[number], session, bytes, count); \
    } \
    static int hook_SSL_read_ex_##number(void *session, void *bytes, size_t count, size_t *taken) { \
        return do_SSL_read_ex(&libraries[number], session, bytes, count, taken); \
    } \
    static int hook_SSL_write_ex_##number(void *session, const void *bytes, size_t count, size_t *taken) { \
        return do_SSL_write_ex(&libraries[number], session, bytes, count, taken); \
    } \
    static int hook_SSL_write_ex2_##number( \
        void *session, const void *bytes, size_t count, uint64_t flags, size_t *taken) { \
        return do_SSL_write_ex2(&libraries[number], session, bytes, count, flags, taken); \
    } \
    static int hook_SSL_write_early_data_##number(void *session, const void *bytes, size_t count, size_t *taken) { \
        return do_SSL_write_early_data(&libraries[number], session, bytes, count, taken); \
    } \
    static int hook_SSL_read_early_data_##number(void *session, void *bytes, size_t count, size_t *taken) { \
        return do_SSL_read_early_data(&libraries[number], session, bytes, count, taken); \
    } \
    static int hook_SSL_accept_##number(void *session) { return do_SSL_accept(&libraries[number], session); } \
    static int hook_SSL_connect_##number(void *session) { return do_SSL_connect(&libraries[number], session); } \
    static int hook_SSL_do_handshake_##number(void *session) { return do_SSL_do_handshake(&libraries[number], session); } \
    static int hook_SSL_up_ref_##number(void *session) { return do_SSL_up_ref(&libraries[number], session); } \
    static void hook_SSL_free_##number(void *session) { do_SSL_free(&libraries[number], session); }

#endif
