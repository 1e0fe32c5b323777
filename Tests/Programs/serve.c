// Serves HTTP/1 by its own calls of the C library, in the ways that servers have to accept, to send and to end; a child is
// its client. Prints the port.

#define _GNU_SOURCE
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 100000 };
static const char request[] = "GET /served HTTP/1.1\r\nHost: localhost\r\n\r\n";
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
static const char old[] = "HTTP/1.0 200 OK\r\n\r\n";
static struct sockaddr_in address = {.sin_family = AF_INET};
static char large[LARGE];
static int turn[2]; // a byte says that the client may read

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void take(int from, size_t count) {
    char bytes[4096];
    while (count) {
        ssize_t got = read(from, bytes, count < sizeof bytes ? count : sizeof bytes);
        if (got <= 0) fail("read");
        count -= (size_t)got;
    }
}

static void await_end(int from) {
    char byte;
    if (read(from, &byte, 1) != 0) fail("more");
    close(from);
}

// MARK: the client

static int ask(const char *text) {
    int to = socket(AF_INET, SOCK_STREAM, 0), room = 4096;
    setsockopt(to, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (connect(to, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    if (write(to, text, strlen(text)) < 0) fail("write");
    return to;
}

static void be_client(void) {
    char two[2 * sizeof request] = "", byte;
    strcat(strcat(two, request), request);
    int to = ask(two);
    take(to, 2 * (sizeof answer - 1));
    shutdown(to, SHUT_WR);
    await_end(to);
    to = ask(request);
    take(to, sizeof head - 1 + LARGE);
    await_end(to);
    for (int i = 0; i < 2; i++) {
        to = ask(request);
        take(to, sizeof answer - 1);
        await_end(to);
    }
    to = ask(request);
    if (read(turn[0], &byte, 1) != 1) fail("turn");
    take(to, sizeof old - 1 + LARGE);
    await_end(to);
    // FastCGI, to a server of HTTP.
    to = socket(AF_INET, SOCK_STREAM, 0);
    connect(to, (struct sockaddr *)&address, sizeof address);
    write(to, "\1\1\0\1\0\10\0\0\0\1\0\0\0\0\0\0", 16);
    take(to, 8);
    await_end(to);
    to = ask(request);
    take(to, sizeof answer - 1);
    await_end(to);
    exit(0);
}

// MARK: the server

static void keep_alive(int to) {
    take(to, 2 * (sizeof request - 1));
    write(to, answer, sizeof answer - 1);
    send(to, answer, sizeof answer - 1, 0);
    await_end(to);
}

static void from_file(int to) {
    FILE *file = tmpfile();
    fwrite(large, 1, LARGE, file);
    fflush(file);
    take(to, sizeof request - 1);
    struct iovec pieces[2] = {{(void *)head, 10}, {(void *)(head + 10), sizeof head - 11}};
    writev(to, pieces, 2);
    off_t at = 0;
    while (at < LARGE) {
        if (sendfile(to, fileno(file), &at, (size_t)(LARGE - at)) <= 0) fail("sendfile");
    }
    close(to);
}

static void by_message(int to) {
    take(to, sizeof request - 1);
    struct iovec piece = {(void *)answer, sizeof answer - 1};
    sendmsg(to, &(struct msghdr){.msg_iov = &piece, .msg_iovlen = 1}, 0);
    close(to);
}

/// The parent has closed its descriptor before the child reads.
static void by_child(int to) {
    int closed[2];
    char byte = 0;
    if (pipe(closed) != 0) fail("pipe");
    pid_t child = fork();
    if (child == 0) {
        if (read(closed[0], &byte, 1) != 1) fail("closed");
        by_message(to);
        _exit(0);
    }
    close(to);
    write(closed[1], &byte, 1);
    waitpid(child, NULL, 0);
}

/// What the kernel has not sent at the close it sends after it.
static void until_close(int to) {
    int room = 8 * LARGE;
    setsockopt(to, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    take(to, sizeof request - 1);
    write(to, old, sizeof old - 1);
    write(to, large, LARGE);
    shutdown(to, SHUT_WR);
    close(to);
    write(turn[1], "", 1);
}

static void by_other_protocol(int to) {
    take(to, 16);
    write(to, "\1\6\0\1\0\0\0\0", 8);
    close(to);
}

/// What was over when a server is killed is not lost.
static void killed(int to) {
    pid_t child = fork();
    if (child == 0) {
        take(to, sizeof request - 1);
        write(to, answer, sizeof answer - 1);
        kill(getpid(), SIGKILL);
    }
    close(to);
    waitpid(child, NULL, 0);
}

int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0 || pipe(turn) != 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    memset(large, 'x', LARGE);
    pid_t client = fork();
    if (client == 0) be_client();
    keep_alive(accept(listener, NULL, NULL));
    from_file(accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    by_message((int)syscall(SYS_accept4, listener, NULL, NULL, 0));
    by_child(accept(listener, NULL, NULL));
    until_close(accept(listener, NULL, NULL));
    by_other_protocol(accept(listener, NULL, NULL));
    killed(accept(listener, NULL, NULL));
    int status = 0;
    waitpid(client, &status, 0);
    printf("%d\n", ntohs(address.sin_port));
    return status ? 1 : 0;
}
