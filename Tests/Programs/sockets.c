// Speaks HTTP/1 by its own calls of the C library, in all the ways that there are to send, to receive and to close.
//
// usage: sockets http://127.0.0.1:PORT           prints the number of bytes that it has received
//        sockets http://127.0.0.1:PORT left      reads 100,000 bytes of a response, sends three letters to
//                                                 another connection, and ends

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address;
static const char *host;
static size_t all;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int open_connection(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return made;
}

static int open_later(void) {
    int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) fail("connect");
    struct pollfd ready = {.fd = made, .events = POLLOUT};
    poll(&ready, 1, 5000);
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error) fail("connect");
    fcntl(made, F_SETFL, fcntl(made, F_GETFL) & ~O_NONBLOCK);
    return made;
}

static char request[4096];

static size_t ask(const char *method, const char *path, const char *fields) {
    return (size_t)snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", method, path, host, fields);
}

/// Reads that number of responses of known length by that function.
typedef ssize_t (*reader)(int, char *, size_t);

static void take(int from, int responses, reader read_some, size_t step) {
    static char bytes[1 << 20];
    size_t count = 0;
    while (responses) {
        ssize_t got = read_some(from, bytes + count, step < sizeof bytes - count ? step : sizeof bytes - count);
        if (got <= 0) fail("read");
        count += (size_t)got;
        all += (size_t)got;
        for (;;) {
            bytes[count] = 0;
            char *end = strstr(bytes, "\r\n\r\n"), *length = strcasestr(bytes, "content-length:");
            if (!end || !length || length > end) break;
            size_t whole = (size_t)(end + 4 - bytes) + strtoul(length + 15, NULL, 10);
            if (count < whole) break;
            memmove(bytes, bytes + whole, count -= whole);
            if (--responses == 0) return;
        }
    }
}

static ssize_t by_read(int from, char *bytes, size_t count) { return read(from, bytes, count); }

static ssize_t by_recv(int from, char *bytes, size_t count) {
    // What is looked at has not come yet.
    char peeked[8];
    recv(from, peeked, sizeof peeked, MSG_PEEK);
    return recv(from, bytes, count, 0);
}

static ssize_t by_recvfrom(int from, char *bytes, size_t count) { return recvfrom(from, bytes, count, 0, NULL, NULL); }

static ssize_t by_recvmsg(int from, char *bytes, size_t count) {
    struct iovec pieces[2] = {{bytes, count / 2}, {bytes + count / 2, count - count / 2}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    return recvmsg(from, &message, 0);
}

static ssize_t by_readv(int from, char *bytes, size_t count) {
    struct iovec pieces[2] = {{bytes, 1}, {bytes + 1, count - 1}};
    return readv(from, pieces, count > 1 ? 2 : 1);
}

static void pipelined(void) {
    int to = open_connection();
    char three[3 * 1024] = "";
    for (int i = 0; i < 3; i++) {
        ask("GET", "/hello/pipelined", "");
        strcat(three, request);
    }
    for (size_t sent = 0; sent < strlen(three); sent += 5) {
        size_t piece = strlen(three) - sent < 5 ? strlen(three) - sent : 5;
        if (send(to, three + sent, piece, 0) != (ssize_t)piece) fail("send");
    }
    take(to, 3, by_read, 7);
    close(to);
}

static void ways(void) {
    int to = open_later();
    size_t count = ask("GET", "/hello/ways", "");
    write(to, request, count);
    take(to, 1, by_recv, 100);
    struct iovec pieces[2] = {{request, 10}, {request + 10, count - 10}};
    writev(to, pieces, 2);
    take(to, 1, by_recvfrom, 50);
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    sendmsg(to, &message, 0);
    take(to, 1, by_recvmsg, 64);
    struct mmsghdr messages[2] = {
        {.msg_hdr = {.msg_iov = pieces, .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = pieces + 1, .msg_iovlen = 1}}};
    sendmmsg(to, messages, 2, 0);
    take(to, 1, by_readv, 33);
    sendto(to, request, count, 0, NULL, 0);
    take(to, 1, by_read, 4096);
    shutdown(to, SHUT_WR);
    char none;
    read(to, &none, 1); // the server's end of it
    close(to);
}

static void file(void) {
    FILE *temporary = tmpfile();
    for (int i = 0; i < 100000; i++) fputc('a' + i % 26, temporary);
    fflush(temporary);
    int to = open_connection();
    size_t count = ask("POST", "/echo/file", "Content-Length: 100000\r\n");
    write(to, request, count);
    off_t at = 10;
    for (size_t left = 99990; left;) left -= (size_t)sendfile(to, fileno(temporary), &at, left);
    lseek(fileno(temporary), 0, SEEK_SET);
    sendfile(to, fileno(temporary), NULL, 10);
    take(to, 1, by_read, 4096);
    fclose(temporary);
    close(to);
}

static void chunks(void) {
    int to = open_connection();
    size_t count = ask("POST", "/echo/chunks", "Transfer-Encoding: chunked\r\n");
    write(to, request, count);
    const char body[] = "5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n";
    for (size_t i = 0; i < sizeof body - 1; i++) write(to, body + i, 1);
    take(to, 1, by_read, 1);
    close(to);
}

/// Closes past the C library.
static void close_unseen(int descriptor) {
#if defined(__x86_64__)
    long result = SYS_close;
    __asm__ volatile("syscall" : "+a"(result) : "D"((long)descriptor) : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_close;
    register long first __asm__("x0") = descriptor;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number) : "memory");
#endif
}

/// Descriptors of one socket, one that is closed by a system call without a function of its own, and one whose close nothing
/// can see; both are used again.
static void descriptors(void) {
    int first = open_connection();
    size_t count = ask("GET", "/hello/descriptors", "");
    int second = dup(first), third = fcntl(first, F_DUPFD_CLOEXEC, 100);
    write(first, request, count);
    take(second, 1, by_read, 4096);
    close(first);
    write(second, request, count);
    take(third, 1, by_read, 4096);
    int other = open_connection();
    dup2(other, second);
    write(second, request, count);
    take(other, 1, by_read, 4096);
    close(other);
    close(second);
    write(third, request, count);
    take(third, 1, by_read, 4096);
    syscall(SYS_close, third);
    for (int i = 0; i < 2; i++) {
        int again = open_connection();
        write(again, request, count);
        take(again, 1, by_read, 4096);
        if (i) close(again);
        else close_unseen(again);
    }
    int streamed = open_connection();
    FILE *stream = fdopen(streamed, "r+");
    write(streamed, request, count);
    take(streamed, 1, by_read, 4096);
    fclose(stream);
}

/// TCP Fast Open (RFC 7413), by a call that connects and sends, and by a connection that waits for the first bytes. It is
/// closed among others.
static void fast(void) {
    size_t count = ask("GET", "/hello/fast", "");
    for (int i = 0; i < 2; i++) {
        int to = socket(AF_INET, SOCK_STREAM, 0);
        ssize_t sent = sendto(to, request, count, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
        if (sent != (ssize_t)count) fail("sendto");
        take(to, 1, by_read, 4096);
        close(to);
    }
    int to = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (setsockopt(to, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &yes, sizeof yes) != 0) fail("setsockopt");
    if (connect(to, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    write(to, request, count);
    take(to, 1, by_read, 4096);
    int last = dup2(to, 200);
    close(to);
    if (close_range(190, 210, 0) != 0 || fcntl(last, F_GETFD) != -1) fail("close_range");
    // Its number is another connection's.
    int again = open_connection();
    write(dup2(again, 200), request, count);
    take(again, 1, by_read, 4096);
    close(again);
    close(200);
}

/// A child that closes all that it has inherited, and asks for itself; meanwhile the parent's request runs.
static void forked(void) {
    int to = open_connection();
    size_t count = ask("GET", "/slow/50", "");
    write(to, request, count);
    pid_t child = fork();
    if (child == 0) {
        close(to);
        int own = open_connection();
        count = ask("GET", "/hello/child", "");
        write(own, request, count);
        take(own, 1, by_read, 4096);
        close(own);
        exit(0);
    }
    if (vfork() == 0) {
        close(to); // in memory that is the parent's
        _exit(0);
    }
    waitpid(child, NULL, 0);
    take(to, 1, by_read, 4096);
    close(to);
}

/// A response that lasts until the server ends the connection.
static void ends(void) {
    int to = open_connection();
    char bytes[512];
    size_t count = ask("GET", "/close/x", "Connection: close\r\n");
    write(to, request, count);
    for (ssize_t got; (got = read(to, bytes, sizeof bytes)) > 0;) all += (size_t)got;
    close(to);
}

static void *reads(void *argument) {
    int *to = argument;
    for (int done = 0; done < 50; done++) {
        take(to[0], 1, by_read, 4096);
        write(to[1], "x", 1);
    }
    return NULL;
}

/// One thread sends and another receives: the response may be there before the call that sends returns.
static void threads(void) {
    int to[2] = {open_connection()}, pair[2];
    if (pipe(pair) != 0) fail("pipe");
    to[1] = pair[1];
    pthread_t thread;
    size_t count = ask("GET", "/hello/threads", "");
    pthread_create(&thread, NULL, reads, to);
    for (int i = 0; i < 50; i++) {
        char byte;
        write(to[0], request, count);
        read(pair[0], &byte, 1);
    }
    pthread_join(thread, NULL);
    close(to[0]);
}

/// A response of which a part is read, on a connection whose close nothing can see, when the program ends.
static void left(void) {
    int to = open_connection();
    static char bytes[100000];
    size_t count = ask("GET", "/fill/300000", "");
    write(to, request, count);
    for (size_t got = 0; got < sizeof bytes;) {
        ssize_t more = read(to, bytes + got, sizeof bytes - got);
        if (more <= 0) fail("read");
        got += (size_t)more;
    }
    close_unseen(to);
    // What the program sees of calls that fail, or do not, is as without the meter.
    if (sendmsg(open_connection(), NULL, 0) != -1 || errno != EFAULT) fail("sendmsg");
    char *memory;
    size_t size;
    FILE *stream = open_memstream(&memory, &size);
    errno = 0;
    if (fclose(stream) != 0 || errno != 0) fail("fclose");
    // Three letters of a protocol that is not HTTP.
    int other = open_connection();
    write(other, "MSG", 3);
    close(other);
}

int main(int count, char **arguments) {
    if (count < 2 || strncmp(arguments[1], "http://", 7) != 0) return 64;
    host = arguments[1] + 7;
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(strchr(host, ':') + 1));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (count > 2 && strcmp(arguments[2], "left") == 0) {
        left();
        return 0;
    }
    pipelined();
    ways();
    file();
    chunks();
    descriptors();
    fast();
    forked();
    ends();
    threads();
    printf("%zu\n", all);
    return 0;
}
