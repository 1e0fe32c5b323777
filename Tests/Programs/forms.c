// Speaks HTTP/1 over TLS in all the forms that OpenSSL and GnuTLS have to send and to receive. It asks a server of its own, in a
// child, which reads early data.
//
// usage: forms            prints a line for each connection: how many bytes its responses had
//
// GnuTLS has its functions declared here, because its library is on every Debian, and its headers are not.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_context.h"

#define RESPONSE "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
#define REQUEST "GET /form HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define UPLOAD "POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"

static struct sockaddr_in address = {.sin_family = AF_INET};

static void expect(int condition, const char *what) {
    if (condition) return;
    perror(what);
    exit(1);
}

// MARK: the server

/// Answers each request, one after the other.
static void answer(SSL *tls) {
    static char bytes[1 << 17];
    size_t count = 0, got = 0;
    int state = SSL_READ_EARLY_DATA_SUCCESS, early = 0;
    while (state != SSL_READ_EARLY_DATA_FINISH) {
        state = SSL_read_early_data(tls, bytes + count, sizeof bytes - count, &got);
        if (state == SSL_READ_EARLY_DATA_ERROR) return;
        count += got;
        early += (int)got;
    }
    if (SSL_accept(tls) != 1) return;
    while (1) {
        bytes[count] = 0;
        char *end = strstr(bytes, "\r\n\r\n"), *length = strstr(bytes, "Content-Length: ");
        size_t whole = end ? (size_t)(end + 4 - bytes) + (length ? strtoul(length + 16, NULL, 10) : 0) : 0;
        if (whole && count >= whole) {
            if (SSL_write_ex(tls, RESPONSE, sizeof RESPONSE - 1, &got) != 1) return;
            memmove(bytes, bytes + whole, count -= whole);
            continue;
        }
        if (SSL_read_ex(tls, bytes + count, sizeof bytes - 1 - count, &got) != 1) return;
        count += got;
    }
}

static void serve(int listener) {
    SSL_CTX *context = server_context();
    SSL_CTX_set_max_early_data(context, 16384);
    while (1) {
        int peer = accept(listener, NULL, NULL);
        SSL *tls = SSL_new(context);
        SSL_set_fd(tls, peer);
        answer(tls);
        SSL_shutdown(tls);
        SSL_free(tls);
        close(peer);
    }
}

static int open_connection(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    expect(connect(made, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    return made;
}

// MARK: OpenSSL

static SSL_CTX *client;
static SSL_SESSION *session;

static int keep(SSL *tls, SSL_SESSION *made) {
    (void)tls;
    SSL_SESSION_free(session);
    session = made;
    return 1;
}

static SSL *open_tls(int socket) {
    SSL *tls = SSL_new(client);
    SSL_set_fd(tls, socket);
    return tls;
}

static size_t take(SSL *tls) {
    char bytes[sizeof RESPONSE], peeked[8];
    size_t all = 0, got;
    while (all < sizeof RESPONSE - 1) {
        // What is looked at has not come yet.
        expect(SSL_peek_ex(tls, peeked, sizeof peeked, &got) == 1, "SSL_peek_ex");
        expect(SSL_peek(tls, peeked, sizeof peeked) == (int)got, "SSL_peek");
        expect(SSL_read_ex(tls, bytes, sizeof bytes - 1, &got) == 1, "SSL_read_ex");
        all += got;
    }
    return all;
}

static void by_openssl(int is_early) {
    int socket = open_connection();
    SSL *tls = open_tls(socket);
    size_t sent, all = 0;
    if (is_early) {
        expect(session && SSL_set_session(tls, session), "no session");
        expect(SSL_write_early_data(tls, REQUEST, sizeof REQUEST - 1, &sent) == 1, "SSL_write_early_data");
    }
    expect(SSL_connect(tls) == 1, "SSL_connect");
    if (is_early) {
        expect(SSL_get_early_data_status(tls) == SSL_EARLY_DATA_ACCEPTED, "early data was refused");
        all += take(tls);
    }
    expect(SSL_write(tls, REQUEST, sizeof REQUEST - 1) > 0, "SSL_write");
    all += take(tls);
    expect(SSL_write_ex(tls, REQUEST, 7, &sent) == 1, "SSL_write_ex");
    expect(SSL_write_ex(tls, &REQUEST[7], sizeof REQUEST - 8, &sent) == 1, "SSL_write_ex");
    all += take(tls);
    SSL_shutdown(tls);
    SSL_free(tls);
    close(socket);
    printf("%s: %zu\n", is_early ? "early" : "openssl", all);
}

// MARK: GnuTLS

typedef struct { unsigned char *data; unsigned size; } datum;
int gnutls_init(void **, unsigned);
void gnutls_deinit(void *);
int gnutls_set_default_priority(void *);
int gnutls_certificate_allocate_credentials(void **);
int gnutls_credentials_set(void *, int, void *);
void gnutls_transport_set_int2(void *, int, int);
int gnutls_handshake(void *);
void gnutls_record_cork(void *);
int gnutls_record_uncork(void *, unsigned);
ssize_t gnutls_record_send(void *, const void *, size_t);
ssize_t gnutls_record_send2(void *, const void *, size_t, size_t, unsigned);
ssize_t gnutls_record_send_file(void *, int, off_t *, size_t);
ssize_t gnutls_record_recv(void *, void *, size_t);
ssize_t gnutls_record_recv_seq(void *, void *, size_t, unsigned char *);
ssize_t gnutls_record_recv_packet(void *, void **);
void gnutls_packet_get(void *, datum *, unsigned char *);
void gnutls_packet_deinit(void *);
ssize_t gnutls_record_send_early_data(void *, const void *, size_t);
int gnutls_session_get_data2(void *, datum *);
int gnutls_session_set_data(void *, const void *, size_t);
unsigned gnutls_session_get_flags(void *);
int gnutls_bye(void *, int);
enum { CLIENT = 2, EARLY_DATA = 1 << 17 | CLIENT, CERTIFICATE = 1, WAIT = 1, IS_EARLY = 1 << 10, TICKET_CAME = 1 << 3 };

static datum ticket;

static void *open_gnutls(int socket, const char *early) {
    static void *credentials;
    void *tls;
    if (!credentials) gnutls_certificate_allocate_credentials(&credentials);
    gnutls_init(&tls, CLIENT);
    gnutls_set_default_priority(tls);
    gnutls_credentials_set(tls, CERTIFICATE, credentials);
    gnutls_transport_set_int2(tls, socket, socket);
    if (early) {
        expect(gnutls_session_set_data(tls, ticket.data, ticket.size) == 0, "gnutls_session_set_data");
        expect(gnutls_record_send_early_data(tls, early, strlen(early)) == 0, "gnutls_record_send_early_data");
    }
    int result;
    while ((result = gnutls_handshake(tls)) != 0) expect(result == -28 || result == -52, "gnutls_handshake");
    return tls;
}

static ssize_t by_recv(void *tls, char *bytes, size_t count) { return gnutls_record_recv(tls, bytes, count); }

static ssize_t by_recv_seq(void *tls, char *bytes, size_t count) {
    unsigned char sequence[8];
    return gnutls_record_recv_seq(tls, bytes, count, sequence);
}

static ssize_t by_packet(void *tls, char *bytes, size_t count) {
    void *packet = NULL;
    datum content = {NULL, 0};
    ssize_t result = gnutls_record_recv_packet(tls, &packet);
    if (result <= 0) return result;
    gnutls_packet_get(packet, &content, NULL);
    memcpy(bytes, content.data, content.size < count ? content.size : count);
    gnutls_packet_deinit(packet);
    return (ssize_t)content.size;
}

static size_t take_by(ssize_t (*receive)(void *, char *, size_t), void *tls) {
    char bytes[sizeof RESPONSE];
    size_t all = 0;
    while (all < sizeof RESPONSE - 1) {
        ssize_t got = receive(tls, bytes, sizeof bytes);
        // A ticket comes between.
        if (got == -28 || got == -52) continue;
        expect(got > 0, "gnutls_record_recv");
        all += (size_t)got;
    }
    return all;
}

static void by_gnutls(void) {
    int socket = open_connection();
    void *tls = open_gnutls(socket, NULL);
    size_t all = 0;
    expect(gnutls_record_send(tls, REQUEST, sizeof REQUEST - 1) > 0, "gnutls_record_send");
    all += take_by(by_recv, tls);
    expect(gnutls_record_send2(tls, REQUEST, sizeof REQUEST - 1, 100, 0) > 0, "gnutls_record_send2");
    all += take_by(by_recv_seq, tls);
    gnutls_record_cork(tls);
    expect(gnutls_record_send(tls, REQUEST, 9) == 9, "gnutls_record_send");
    expect(gnutls_record_send(tls, &REQUEST[9], sizeof REQUEST - 10) > 0, "gnutls_record_send");
    expect(gnutls_record_uncork(tls, WAIT) > 0, "gnutls_record_uncork");
    all += take_by(by_packet, tls);
    FILE *body = tmpfile();
    for (int i = 0; i < 100000; i++) fputc('a' + i % 26, body);
    fflush(body);
    // The offset counts from where the file is.
    off_t at = 0;
    lseek(fileno(body), 0, SEEK_SET);
    expect(gnutls_record_send(tls, UPLOAD, sizeof UPLOAD - 1) > 0, "gnutls_record_send");
    for (size_t left = 100000; left;) {
        ssize_t sent = gnutls_record_send_file(tls, fileno(body), &at, left);
        expect(sent > 0, "gnutls_record_send_file");
        left -= (size_t)sent;
    }
    all += take_by(by_recv, tls);
    fclose(body);
    gnutls_session_get_data2(tls, &ticket);
    gnutls_bye(tls, 1);
    gnutls_deinit(tls);
    close(socket);
    printf("gnutls: %zu\n", all);
}

static void early_by_gnutls(void) {
    int socket = open_connection();
    void *tls = open_gnutls(socket, REQUEST);
    expect(gnutls_session_get_flags(tls) & IS_EARLY, "early data was refused");
    size_t all = take_by(by_recv, tls);
    gnutls_bye(tls, 1);
    gnutls_deinit(tls);
    close(socket);
    printf("early gnutls: %zu\n", all);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    expect(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 8) == 0, "listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    pid_t child = fork();
    if (child == 0) serve(listener);
    close(listener);
    client = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(client, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(client, keep);
    by_openssl(0);
    by_openssl(1);
    by_gnutls();
    early_by_gnutls();
    kill(child, SIGTERM);
    return 0;
}
