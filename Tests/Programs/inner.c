// A program with a TLS library inside its executable, in which only the names are real: what it sends are records of TLS
// whose contents are merely inverted. It asks a server of its own.
//
// usage: inner COUNT        prints how many bytes its responses had
//
// Compiled with EXPORTED its functions are among those that the executable exports; without, they are in its symbol table
// alone, by the names that Swift's NIOSSL gives to BoringSSL. Compiled with WITHIN it meters itself, and prints first what
// that found. Compiled with SILENT no function says which random a session has, and inside of the call that begins it another
// library sends a ClientHello, too; with APART, too, its own is sent after that call, which has written it into memory.
// Compiled with HALF (and not to be loaded anywhere) it starts itself again with a filter of system calls that refuses to
// replace the page of one of the functions. Compiled with HIDDEN it sends and receives by other functions than the library's.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WITHIN
#include "taken_frames.h"
#endif

#ifdef EXPORTED
#define LIBRARY(name) name
#else
#define LIBRARY(name) CNIOBoringSSL_##name
#endif
#define FUNCTION __attribute__((noinline, used))
#ifdef HALF
#define ON_ITS_OWN_PAGE __attribute__((section("half"), aligned(4096)))
#else
#define ON_ITS_OWN_PAGE
#endif
#ifdef SILENT
#define QUESTION(name) own_##name
#else
#define QUESTION(name) LIBRARY(name)
#endif

static struct sockaddr_in address = {.sin_family = AF_INET};

typedef struct ssl {
    int socket;
    int is_server;
    int references; // beyond the first
    uint8_t random[32];
} ssl;

static void all(ssize_t (*move)(int, void *, size_t), int socket, void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t moved = move(socket, (char *)bytes + done, count - done);
        if (moved <= 0) exit(1);
        done += (size_t)moved;
    }
}

static ssize_t put(int socket, void *bytes, size_t count) { return send(socket, bytes, count, MSG_NOSIGNAL); }
static ssize_t get(int socket, void *bytes, size_t count) { return recv(socket, bytes, count, 0); }

static void put_record(ssl *session, int type, const void *bytes, size_t count) {
    static uint8_t record[1 << 15];
    record[0] = (uint8_t)type, record[1] = 3, record[2] = 3, record[3] = (uint8_t)(count >> 8), record[4] = (uint8_t)count;
    for (size_t i = 0; i < count; i++) record[5 + i] = ((const uint8_t *)bytes)[i] ^ (type == 23 ? 0xff : 0);
    all(put, session->socket, record, count + 5);
}

static size_t get_record(ssl *session, uint8_t *bytes) {
    uint8_t head[5];
    all(get, session->socket, head, 5);
    size_t count = (size_t)head[3] << 8 | head[4];
    all(get, session->socket, bytes, count);
    for (size_t i = 0; i < count; i++) bytes[i] ^= head[0] == 23 ? 0xff : 0;
    return count;
}

/// How often the handshake is to be tried again before it begins, as when the peer's message comes in many pieces.
static int steps = 100;

static void say_hello(ssl *session) {
    uint8_t hello[512] = {1, 0, 0, 43, 3, 3};
    for (int i = 0; i < 32; i++) hello[6 + i] = session->random[i] = (uint8_t)rand();
    memcpy(hello + 38, (uint8_t[]){0, 0, 2, 0x13, 1, 1, 0, 0, 0}, 9);
    put_record(session, 22, hello, 47);
}

#ifdef SILENT
/// As a callback does that asks another server about a certificate.
static void ask_another(void) {
    static ssl other; // stays open
    other = (ssl){.socket = socket(AF_INET, SOCK_STREAM, 0)};
    if (connect(other.socket, (struct sockaddr *)&address, sizeof address) != 0) exit(1);
    say_hello(&other);
}
#endif

FUNCTION int LIBRARY(SSL_do_handshake)(ssl *session) {
    if (steps-- > 0) return -1;
    uint8_t answer[512];
#ifndef APART
    say_hello(session);
#endif
#ifdef SILENT
    ask_another();
#endif
    return get_record(session, answer) == 4;
}

FUNCTION int LIBRARY(SSL_write)(ssl *session, const void *bytes, int count) {
    put_record(session, 23, bytes, (size_t)count);
    return count;
}

/// Where a call of SSL_read jumps to instead of returning, once, as after a time limit.
static jmp_buf outside;
static int jumps;

static inline __attribute__((always_inline)) int get_message(ssl *session, void *bytes, int count) {
    static uint8_t record[1 << 15];
    static size_t first, last;
    if (first == last) first = 0, last = get_record(session, record);
    size_t taken = last - first < (size_t)count ? last - first : (size_t)count;
    memcpy(bytes, record + first, taken);
    first += taken;
    return (int)taken;
}

FUNCTION int LIBRARY(SSL_read)(ssl *session, void *bytes, int count) {
    if (jumps) {
        jumps = 0;
        longjmp(outside, 1);
    }
    return get_message(session, bytes, count);
}

#ifdef HIDDEN
#define SEND(session, bytes, count) put_record(session, 23, bytes, count)
#define RECEIVE get_message
#else
#define SEND LIBRARY(SSL_write)
#define RECEIVE LIBRARY(SSL_read)
#endif

FUNCTION size_t QUESTION(SSL_get_client_random)(const ssl *session, uint8_t *bytes, size_t count) {
    if (count >= 32) memcpy(bytes, session->random, 32);
    return 32;
}

FUNCTION int QUESTION(SSL_is_server)(const ssl *session) { return session->is_server; }

ON_ITS_OWN_PAGE FUNCTION int LIBRARY(SSL_up_ref)(ssl *session) {
    session->references++;
    return 1;
}

FUNCTION void LIBRARY(SSL_free)(ssl *session) {
    volatile ssl *each = session;
    if (each->references-- > 0) return;
    each->socket = -1;
    free(session);
}

static void serve(int listener) {
    uint8_t bytes[1 << 15];
    ssl session = {.socket = accept(listener, NULL, NULL), .is_server = 1};
    get_record(&session, bytes);
    put_record(&session, 22, (uint8_t[]){2, 0, 0, 0}, 4);
    while (1) {
        get_record(&session, bytes);
        static const char response[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        put_record(&session, 23, response, sizeof response - 1);
    }
}

#ifdef HALF
static void start_again(char **arguments) {
    uint64_t page = (uintptr_t)LIBRARY(SSL_up_ref);
    struct sock_filter filter[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_mremap},
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[4])},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)page},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    // A process knows by its filter that it has been started again.
    if (prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER) return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) exit(1);
    execv("/proc/self/exe", arguments);
    exit(1);
}
#endif

int main(int count, char **arguments) {
#ifdef HALF
    start_again(arguments);
#endif
    int listener = socket(AF_INET, SOCK_STREAM, 0), requests = count > 1 ? atoi(arguments[1]) : 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 2) != 0) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    pid_t child = fork();
    if (child == 0) serve(listener);
#ifdef WITHIN
    static taken seen;
    if (start_tap(&seen) != WWT_OK) return 1;
#endif
    ssl *session = calloc(1, sizeof *session);
    session->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(session->socket, (struct sockaddr *)&address, size) != 0) return 1;
    srand((unsigned)getpid());
#ifdef APART
    if (LIBRARY(SSL_do_handshake)(session) == 1) return 1;
    say_hello(session);
#endif
    while (LIBRARY(SSL_do_handshake)(session) != 1) {}
    if (setjmp(outside) == 0) {
        char none;
        jumps = 1;
        LIBRARY(SSL_read)(session, &none, 1);
        return 1;
    }
#ifdef EXPORTED
    // Who looks for a function that the executable exports finds it.
    if (dlsym(RTLD_DEFAULT, "SSL_read") != (void *)SSL_read || !dlsym(RTLD_DEFAULT, "SSL_is_server")) return 1;
#endif
#ifndef HALF
    // It is freed twice, and used in between.
    if (LIBRARY(SSL_up_ref)(session) != 1) return 1;
    LIBRARY(SSL_free)(session);
#endif
    int all = 0;
    for (int i = 0; i < requests; i++) {
        static const char request[] = "GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n";
        char bytes[256];
        SEND(session, request, sizeof request - 1);
        // Byte by byte first: a head can end anywhere.
        for (int got = 0; got < 43; all += 1, got += 1) {
            if (RECEIVE(session, bytes, 1) != 1) return 1;
        }
    }
    uint8_t random[32];
    if (QUESTION(SSL_get_client_random)(session, random, 32) != 32 || QUESTION(SSL_is_server)(session)) return 1;
    int socket = session->socket;
    LIBRARY(SSL_free)(session);
    // As libuv closes.
    syscall(SYS_close, socket);
    waitpid(child, NULL, 0);
#ifdef WITHIN
    wwt_stop();
    print_taken(&seen);
#endif
    printf("%d\n", all);
    return 0;
}
