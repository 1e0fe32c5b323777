// Servers and clients whose connections end oddly, in one program or two processes; prints what they saw.
//
// usage: ends cancelled|reset|half-closed|unseen|proxied|proxied-binary|proxied-pieces|tunnelled|handler|reused|
//              crossed|left

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address = {.sin_family = AF_INET};
static int listener, server;

static int call(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) exit(1);
    return made;
}

static void put(int socket, const char *text) {
    if (send(socket, text, strlen(text), MSG_NOSIGNAL) < 0) return;
}

static size_t read_all(int socket) {
    char bytes[4096];
    size_t all = 0;
    for (ssize_t got; (got = recv(socket, bytes, sizeof bytes, 0)) > 0;) all += (size_t)got;
    return all;
}

#define REQUEST "GET /odd HTTP/1.1\r\nHost: odd.test\r\n\r\n"
#define RESPONSE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// MARK: a thread that is cancelled in any of its calls

static void *answer(void *unused) {
    char bytes[4096];
    while (recv(server, bytes, sizeof bytes, 0) > 0) put(server, RESPONSE);
    return unused;
}

static void *ask(void *context) {
    char bytes[4096];
    int client = *(int *)context;
    do put(client, REQUEST);
    while (recv(client, bytes, sizeof bytes, 0) > 0);
    return NULL;
}

static void cancelled(void) {
    for (int round = 0; round < 1000; round++) {
        int client = call();
        pthread_t threads[2];
        server = accept(listener, NULL, NULL);
        pthread_create(&threads[0], NULL, answer, NULL);
        pthread_create(&threads[1], NULL, ask, &client);
        usleep(200 + (useconds_t)round % 700);
        pthread_cancel(threads[0]);
        pthread_join(threads[0], NULL);
        shutdown(server, SHUT_RDWR);
        pthread_join(threads[1], NULL);
        close(server);
        close(client);
    }
    puts("done");
}

// MARK: a client's reset that a child learns of, after its parent has closed

static void reset(void) {
    int client = call(), ready[2];
    char byte;
    server = accept(listener, NULL, NULL);
    if (pipe(ready) != 0) exit(1);
    if (fork() == 0) {
        close(client);
        close(ready[1]);
        if (read(ready[0], &byte, 1) != 0) exit(1);
        ssize_t got = recv(server, &byte, 1, 0);
        printf("%zd %s\n", got, got < 0 ? strerror(errno) : "");
        exit(0);
    }
    struct linger now = {1, 0};
    setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(client);
    close(server);
    close(ready[1]);
    wait(NULL);
}

/// A client that has sent its request and ended its side, and takes little of a response at once; its server can write
/// `large` bytes without waiting.
static int ask_and_end(int large) {
    int small = 4096, client = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
    if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) exit(1);
    server = accept(listener, NULL, NULL);
    put(client, REQUEST);
    shutdown(client, SHUT_WR);
    return client;
}

// MARK: a response that is not sent when the server closes, to a client that has ended its side

static void half_closed(void) {
    enum { SIZE = 500000 };
    int client = ask_and_end(2 * SIZE);
    char bytes[4096];
    while (recv(server, bytes, sizeof bytes, 0) > 0) {}
    char *response = calloc(1, SIZE);
    int head = sprintf(response, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", SIZE - 64);
    if (send(server, response, (size_t)head + SIZE - 64, 0) != head + SIZE - 64) exit(1);
    close(server);
    printf("%zu\n", read_all(client));
}

// MARK: a response that is being written as the client, which has ended its side, leaves

static void left(void) {
    enum { SIZE = 500000 };
    int client = ask_and_end(2 * SIZE);
    char bytes[4096];
    if (recv(server, bytes, sizeof bytes, 0) != sizeof REQUEST - 1) exit(1);
    char *response = calloc(1, SIZE);
    sprintf(response, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", 2 * SIZE);
    if (send(server, response, SIZE, 0) != SIZE) exit(1);
    close(client);
    while (send(server, response, 1, MSG_NOSIGNAL) == 1) usleep(1000);
    close(server);
    puts("done");
}

// MARK: a server that reads by calls inside the C library

static void unseen(void) {
    int client = call();
    server = accept(listener, NULL, NULL);
    put(client, REQUEST);
    FILE *file = fdopen(dup(server), "r");
    char line[100];
    while (fgets(line, sizeof line, file) && line[0] != '\r') {}
    put(server, RESPONSE);
    fclose(file);
    close(server);
    printf("%zu\n", read_all(client));
}

// MARK: a server that knows its client by the PROXY protocol

static void be_proxied(const char *first, size_t first_count, const char *second, size_t second_count) {
    int client = call();
    server = accept(listener, NULL, NULL);
    char bytes[4096];
    size_t all = 0;
    // The server may read them one by one, or with the request.
    if (send(client, first, first_count, 0) < 0) exit(1);
    if (second_count) all += (size_t)recv(server, bytes, sizeof bytes, 0);
    if (second_count && send(client, second, second_count, 0) < 0) exit(1);
    put(client, REQUEST);
    while (all < first_count + second_count + sizeof REQUEST - 1) all += (size_t)recv(server, bytes, sizeof bytes, 0);
    put(server, RESPONSE);
    close(server);
    printf("%zu\n", read_all(client));
}

static void proxied(void) { be_proxied("PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n", 34, NULL, 0); }

static const char binary[] = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x0a\0\0\1\x0a\0\0\2\0\1\0\2";

static void proxied_in_binary(void) { be_proxied(binary, 28, NULL, 0); }

static void proxied_in_pieces(void) { be_proxied(binary, 15, binary + 15, 13); }

// MARK: HTTP in the clear in a proxy's tunnel

static void exchange(int client, const char *request, const char *response) {
    char bytes[4096];
    put(client, request);
    for (size_t all = 0; all < strlen(request);) all += (size_t)recv(server, bytes, sizeof bytes, 0);
    put(server, response);
    for (size_t all = 0; all < strlen(response);) all += (size_t)recv(client, bytes, sizeof bytes, 0);
}

static void tunnelled(void) {
    int client = call();
    server = accept(listener, NULL, NULL);
    exchange(client, "CONNECT odd.test:80 HTTP/1.1\r\nHost: odd.test:80\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");
    for (int i = 0; i < 2; i++) exchange(client, REQUEST, RESPONSE);
    close(client);
    close(server);
    puts("done");
}

// MARK: a signal's handler that accepts, whatever it has interrupted

static int handled;

static void take_one(int number) {
    (void)number;
    int before = errno, made = accept(listener, NULL, NULL);
    if (made >= 0) {
        handled++;
        close(made);
    }
    errno = before;
}

static void handler(void) {
    fcntl(listener, F_SETFL, O_NONBLOCK);
    signal(SIGALRM, take_one);
    struct itimerval often = {{0, 50}, {0, 50}}, never = {0};
    setitimer(ITIMER_REAL, &often, NULL);
    enum { AT_ONCE = 64 };
    int clients[AT_ONCE], servers[AT_ONCE];
    for (int round = 0; round < 200; round++) {
        // Many at a time, so that there is no memory of earlier ones to be used again.
        for (int i = 0; i < AT_ONCE; i++) {
            clients[i] = call();
            servers[i] = accept(listener, NULL, NULL);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            close(clients[i]);
            if (servers[i] >= 0) close(servers[i]);
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    puts(handled ? "done" : "no signal");
}

// MARK: a descriptor that is used again while a thread still returns from its last call

static int is_reading;

static void *receive(void *context) {
    char bytes[4096];
    __atomic_store_n(&is_reading, 1, __ATOMIC_RELEASE);
    recv(*(int *)context, bytes, sizeof bytes, 0);
    return NULL;
}

static void reused(void) {
    for (int round = 0; round < 2000; round++) {
        if (round % 100 == 0) usleep(20000); // or the meter's buffer fills where its reader has little of a processor
        pthread_t reader;
        int first = call(), former = accept(listener, NULL, NULL), second = call(), left;
        is_reading = 0;
        pthread_create(&reader, NULL, receive, &former);
        while (!__atomic_load_n(&is_reading, __ATOMIC_ACQUIRE)) sched_yield();
        put(first, REQUEST);
        // The reader has it, and has perhaps not returned.
        do if (ioctl(former, FIONREAD, &left) != 0) exit(1);
        while (left > 0);
        close(former);
        int latter = accept(listener, NULL, NULL);
        if (latter != former) exit(1);
        pthread_join(reader, NULL);
        put(second, "GET /second HTTP/1.1\r\nHost: odd.test\r\n\r\n");
        char bytes[4096];
        if (recv(latter, bytes, sizeof bytes, 0) <= 0) exit(1);
        put(latter, RESPONSE);
        close(latter);
        read_all(second);
        close(first);
        close(second);
    }
    puts("done");
}

// MARK: a client that ends its side while the server, which has shut down both sides, closes

static void *leave(void *context) {
    int client = *(int *)context;
    char bytes[4096];
    put(client, REQUEST);
    for (int rest = sizeof RESPONSE - 1; rest > 0;) rest -= (int)recv(client, bytes, sizeof bytes, 0);
    read_all(client);
    for (volatile int wait = rand() % 20000; wait > 0;) wait--;
    shutdown(client, SHUT_WR);
    return NULL;
}

static void crossed(void) {
    for (int round = 0; round < 2000; round++) {
        if (round % 100 == 0) usleep(20000); // or the meter's buffer fills where its reader has little of a processor
        pthread_t thread;
        int client = call();
        server = accept(listener, NULL, NULL);
        pthread_create(&thread, NULL, leave, &client);
        char bytes[4096];
        if (recv(server, bytes, sizeof bytes, 0) != sizeof REQUEST - 1) exit(1);
        put(server, RESPONSE);
        shutdown(server, SHUT_RDWR);
        for (volatile int wait = rand() % 20000; wait > 0;) wait--;
        close(server);
        pthread_join(thread, NULL);
        close(client);
    }
    puts("done");
}

int main(int count, char **words) {
    const struct { const char *name; void (*function)(void); } kinds[] = {
        {"cancelled", cancelled}, {"reset", reset}, {"half-closed", half_closed}, {"unseen", unseen}, {"proxied", proxied},
        {"tunnelled", tunnelled}, {"proxied-binary", proxied_in_binary}, {"proxied-pieces", proxied_in_pieces},
        {"handler", handler}, {"reused", reused}, {"crossed", crossed}, {"left", left}};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    for (size_t i = 0; count == 2 && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(words[1], kinds[i].name) == 0) kinds[i].function();
    }
    return 0;
}
