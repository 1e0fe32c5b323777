// A program that carries its own OpenSSL: linked with libssl.a and libcrypto.a, whose names are in its symbol table alone.
//
// usage: carries BASE PATH…             asks for each over a connection of its own, and uploads; prints what came
//        carries serve PORT FOLDER      answers over TLS with FOLDER's certificate.pem and key.pem

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

/// In turn by both kinds of function.
static int put(SSL *session, const void *bytes, size_t count, int number) {
    size_t done = 0;
    if (number % 2 == 0) return SSL_write(session, bytes, (int)count) == (int)count;
    return SSL_write_ex(session, bytes, count, &done) == 1 && done == count;
}

static size_t get(SSL *session, void *bytes, size_t count, int number) {
    size_t done = 0;
    if (number % 2 == 0) {
        int got = SSL_read(session, bytes, (int)count);
        return got > 0 ? (size_t)got : 0;
    }
    return SSL_read_ex(session, bytes, count, &done) == 1 ? done : 0;
}

static int ask(SSL_CTX *context, const char *host, const char *port, const char *path, size_t upload, int number) {
    struct addrinfo *found, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    if (getaddrinfo(host, port, &hints, &found) != 0) fail("getaddrinfo");
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, found->ai_addr, found->ai_addrlen) != 0) fail("connect");
    freeaddrinfo(found);
    SSL *session = SSL_new(context);
    SSL_set_fd(session, descriptor);
    SSL_set_tlsext_host_name(session, host);
    if (number % 3 == 0) SSL_set_max_proto_version(session, TLS1_2_VERSION);
    SSL_set_connect_state(session);
    if ((number % 2 ? SSL_connect(session) : SSL_do_handshake(session)) != 1) fail("the handshake");
    char head[512];
    int size = snprintf(head, sizeof head, "%s /%s HTTP/1.1\r\nHost: %s:%s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
                        upload ? "POST" : "GET", path, host, port, upload);
    char *body = calloc(1, upload + 1);
    if (!put(session, head, (size_t)size, number) || (upload && !put(session, body, upload, number))) fail("writing");
    free(body);
    char bytes[7000];
    int all = 0;
    for (size_t got; (got = get(session, bytes, sizeof bytes, number)) > 0;) all += (int)got;
    SSL_shutdown(session);
    SSL_free(session);
    close(descriptor);
    return all;
}

static void serve(const char *port, const char *folder) {
    static const char response[] = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n";
    char certificate[512], key[512], bytes[4096];
    snprintf(certificate, sizeof certificate, "%s/certificate.pem", folder);
    snprintf(key, sizeof key, "%s/key.pem", folder);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1
        || SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        fail("the certificate");
    }
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) fail("listen");
    for (int number = 0;; number++) {
        int descriptor = accept(listener, NULL, NULL);
        SSL *session = SSL_new(context);
        SSL_set_fd(session, descriptor);
        if (SSL_accept(session) == 1) {
            size_t count = 0;
            // The whole head; nothing that is asked has more.
            while (count < 4 || memcmp(bytes + count - 4, "\r\n\r\n", 4) != 0) {
                size_t got = get(session, bytes + count, sizeof bytes - count, number);
                if (got == 0) break;
                count += got;
            }
            if (count) put(session, response, sizeof response - 1, number);
            // The client's end of TLS is read, too.
            SSL_shutdown(session);
            while (get(session, bytes, sizeof bytes, number) > 0) {}
        }
        SSL_free(session);
        close(descriptor);
    }
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "serve") == 0) serve(arguments[2], arguments[3]);
    char host[256], port[16];
    if (count < 2 || sscanf(arguments[1], "https://%255[^:]:%15[0-9]", host, port) != 2) fail("reading the address");
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    for (int i = 2; i < count; i++) printf("%s %d\n", arguments[i], ask(context, host, port, arguments[i], 0, i));
    for (int i = 0; i < 2; i++) printf("echo %d\n", ask(context, host, port, "echo", 200000, i));
    SSL_CTX_free(context);
    return 0;
}
