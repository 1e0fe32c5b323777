// A program that loads what asks over HTTP and HTTPS with RTLD_DEEPBIND, as PHP loads its extensions, and lets go of it:
// this file as a program, and as the library. It asks servers of its own, in processes that see no calls of ours.
// deep LIBRARY ROUNDS        prints how many bytes its responses had
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef PLUGIN
#include <openssl/ssl.h>

static const char request[] = "GET /deep HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
static const char response[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";

static unsigned client_key(
    SSL *tls, const char *hint, char *name, unsigned room, unsigned char *key, unsigned most) {
    (void)tls, (void)hint, (void)most;
    snprintf(name, room, "deep");
    memset(key, 7, 16);
    return 16;
}

static unsigned server_key(SSL *tls, const char *name, unsigned char *key, unsigned most) {
    (void)tls, (void)name, (void)most;
    memset(key, 7, 16);
    return 16;
}

static SSL_CTX *context(int is_server) {
    SSL_CTX *made = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    SSL_CTX_set_max_proto_version(made, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(made, "PSK-AES128-GCM-SHA256");
    if (is_server) SSL_CTX_set_psk_server_callback(made, server_key);
    else SSL_CTX_set_psk_client_callback(made, client_key);
    return made;
}

void serve(int listener, int is_secure) {
    SSL_CTX *of = is_secure ? context(1) : NULL;
    while (1) {
        char bytes[256];
        int socket = (int)syscall(SYS_accept, listener, NULL, NULL);
        SSL *tls = is_secure ? SSL_new(of) : NULL;
        if (tls) {
            SSL_set_fd(tls, socket);
            if (SSL_accept(tls) == 1 && SSL_read(tls, bytes, sizeof bytes) > 0) SSL_write(tls, response, sizeof response - 1);
            SSL_shutdown(tls);
            SSL_free(tls);
        } else if (read(socket, bytes, sizeof bytes) > 0) {
            syscall(SYS_write, socket, response, sizeof response - 1);
        }
        close(socket);
    }
}

int ask(const struct sockaddr_in *address, int is_secure) {
    char bytes[256];
    int all = 0, got, descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (const struct sockaddr *)address, sizeof *address) != 0) return -1;
    if (is_secure) {
        SSL_CTX *of = context(0);
        SSL *tls = SSL_new(of);
        SSL_set_fd(tls, descriptor);
        SSL_up_ref(tls);
        if (SSL_connect(tls) != 1) return -1;
        SSL_free(tls); // the other reference remains
        if (SSL_write(tls, request, sizeof request - 1) <= 0) return -1;
        while ((got = SSL_read(tls, bytes, sizeof bytes)) > 0) all += got;
        SSL_free(tls);
        SSL_CTX_free(of);
    } else {
        if (write(descriptor, request, sizeof request - 1) <= 0) return -1;
        while ((got = (int)recv(descriptor, bytes, 7, 0)) > 0) all += got;
    }
    close(descriptor);
    return all;
}
#else
#include <dlfcn.h>

static void *load(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND), *function = handle ? dlsym(handle, name) : NULL;
    if (!function) exit(69);
    return function;
}

static pid_t start(const char *library, int is_secure, struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)address, size) != 0 || listen(listener, 8) != 0) exit(71);
    getsockname(listener, (struct sockaddr *)address, &size);
    pid_t child = fork();
    if (child == 0) ((void (*)(int, int))load(library, "serve"))(listener, is_secure);
    close(listener);
    return child;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    struct sockaddr_in clear, secure;
    pid_t servers[] = {start(arguments[1], 0, &clear), start(arguments[1], 1, &secure)};
    for (int i = 0; i < atoi(arguments[2]); i++) {
        void *library = dlopen(arguments[1], (i % 2 ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL | RTLD_DEEPBIND);
        if (!library) return 69;
        int (*ask)(const struct sockaddr_in *, int);
        *(void **)&ask = dlsym(library, "ask");
        printf("%d ", ask(&clear, 0));
        printf("%d\n", ask(&secure, 1));
        if (dlclose(library) != 0) return 70;
        if (dlopen(arguments[1], RTLD_LAZY | RTLD_NOLOAD)) return 70;
    }
    for (int i = 0; i < 2; i++) kill(servers[i], SIGKILL);
    return 0;
}
#endif
