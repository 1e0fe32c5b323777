// Speaks HTTP/1 over TLS by OpenSSL's BIOs, in each way that a program gets one that has a session. It asks a server of its own,
// in a child, which answers by BIOs, too.
//
// usage: bios            prints a line for each connection: how many bytes its responses had; and how often OpenSSL has called
//                        a callback of the program's
//
// Compiled with WITHIN it starts the tap itself, twice, and prints first what that found, and whether the table of OpenSSL's
// functions for such BIOs was changed in between and is afterwards as before.
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_context.h"

#ifdef WITHIN
#include "taken_frames.h"
#endif

#define RESPONSE "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
#define REQUEST "GET /bio HTTP/1.1\r\nHost: localhost\r\n\r\n"

static struct sockaddr_in address = {.sin_family = AF_INET};
static char place[32];
/// The server writes a byte for each connection that it has closed.
static int closed[2];

static void expect(int condition, const char *what) {
    if (condition) return;
    perror(what);
    exit(1);
}

// MARK: the server

static void serve(int listener) {
    SSL_CTX *context = server_context();
    while (1) {
        int peer = accept(listener, NULL, NULL);
        BIO *chain = BIO_push(BIO_new(BIO_f_buffer()), BIO_new_ssl(context, 0));
        BIO_push(chain, BIO_new_socket(peer, BIO_CLOSE));
        char line[256];
        int count;
        while ((count = BIO_gets(chain, line, sizeof line)) > 0) {
            if (strcmp(line, "\r\n") != 0) continue;
            BIO_puts(chain, RESPONSE);
            if (BIO_flush(chain) <= 0) break;
        }
        BIO_ssl_shutdown(chain);
        BIO_free_all(chain);
        expect(write(closed[1], "", 1) == 1, "write");
    }
}

// MARK: the client

static SSL_CTX *client;
static int calls;

static long note(BIO *bio, int what, const char *bytes, size_t count, int command, long value, int result, size_t *done) {
    (void)bio, (void)bytes, (void)count, (void)command, (void)value, (void)done;
    (void)what;
    calls++;
    return result;
}

static int open_connection(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    expect(connect(made, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    return made;
}

static int take(BIO *bio) {
    char bytes[sizeof RESPONSE];
    int all = 0, left;
    // One that buffers waits until it has all of it.
    while ((left = (int)sizeof RESPONSE - 1 - all) > 0) {
        int count = BIO_read(bio, bytes, left < 7 ? left : 7);
        expect(count > 0, "BIO_read");
        all += count;
    }
    return all;
}

static void ask(const char *name, BIO *bio) {
    int all = 0;
    for (int i = 0; i < 2; i++) {
        size_t sent;
        if (i == 0) expect(BIO_puts(bio, REQUEST) == sizeof REQUEST - 1, "BIO_puts");
        else expect(BIO_write_ex(bio, REQUEST, sizeof REQUEST - 1, &sent) == 1 && sent == sizeof REQUEST - 1, "BIO_write_ex");
        expect(BIO_flush(bio) == 1, "BIO_flush");
        all += take(bio);
    }
    BIO_free_all(bio);
    printf("%s: %d\n", name, all);
}

/// The session is the program's own, which uses it by OpenSSL's functions, too.
static void by_both(void) {
    SSL *tls = SSL_new(client);
    SSL_set_fd(tls, open_connection());
    SSL_set_connect_state(tls);
    BIO *bio = BIO_new(BIO_f_ssl());
    BIO_set_ssl(bio, tls, BIO_NOCLOSE);
    BIO_set_callback_ex(bio, note);
    char bytes[sizeof RESPONSE];
    size_t got;
    expect(BIO_do_handshake(bio) == 1, "BIO_do_handshake");
    expect(BIO_puts(bio, REQUEST) == sizeof REQUEST - 1, "BIO_puts");
    expect(SSL_read_ex(tls, bytes, 9, &got) == 1 && got == 9, "SSL_read_ex");
    // What is left of the first one.
    expect(BIO_read(bio, bytes, sizeof bytes) == sizeof RESPONSE - 10, "BIO_read");
    expect(SSL_write(tls, REQUEST, sizeof REQUEST - 1) > 0, "SSL_write");
    int all = take(bio);
    BIO_free_all(bio);
    int socket = SSL_get_fd(tls);
    SSL_shutdown(tls);
    SSL_free(tls);
    close(socket);
    printf("both: %d\n", all);
}

static void ask_all(void) {
    enum { CONNECTIONS = 7 };
    BIO *made = BIO_new_ssl_connect(client);
    BIO_set_conn_hostname(made, place);
    expect(BIO_do_connect(made) == 1, "BIO_do_connect");
    ask("connect", made);
    made = BIO_new_buffer_ssl_connect(client);
    BIO_set_conn_hostname(made, place);
    ask("buffer", made);
    // What TLS sends waits below it in a buffer.
    made = BIO_push(BIO_new_ssl(client, 1), BIO_new(BIO_f_buffer()));
    BIO_push(made, BIO_new_socket(open_connection(), BIO_CLOSE));
    ask("below", made);
    by_both();
    // Sessions whose addresses others had before.
    for (int i = 0; i < 3; i++) {
        made = BIO_push(BIO_new_ssl(client, 1), BIO_new_socket(open_connection(), BIO_CLOSE));
        ask("again", made);
    }
    char byte;
    for (int i = 0; i < CONNECTIONS; i++) expect(read(closed[0], &byte, 1) == 1, "read");
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    expect(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 8) == 0, "listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    sprintf(place, "127.0.0.1:%d", ntohs(address.sin_port));
    expect(pipe(closed) == 0, "pipe");
    pid_t child = fork();
    if (child == 0) serve(listener);
    close(listener);
    close(closed[1]);
    client = SSL_CTX_new(TLS_client_method());
#ifdef WITHIN
    static taken seen;
    enum { SIZE = 112 };
    unsigned char before[SIZE];
    memcpy(before, BIO_f_ssl(), SIZE);
    for (int i = 0; i < 2; i++) {
        if (start_tap(&seen) != WWT_OK) return 1;
        int is_changed = memcmp(before, BIO_f_ssl(), SIZE) != 0;
        ask_all();
        wwt_stop();
        printf("changed %d, restored %d\n", is_changed, memcmp(before, BIO_f_ssl(), SIZE) == 0);
        print_taken(&seen);
    }
#endif
    ask_all();
    printf("callbacks: %d\n", calls);
    kill(child, SIGTERM);
    return 0;
}
