// A server and its client whose bytes pass around the calls that a meter sees most of, in two processes; prints the number
// of bytes that the client has received, or "none" if the system does not let it.
//
// usage: around handed|handed-used|handed-back|handed-called|spliced|spliced-raw|stdio|stdio-in|discarded|many|
//               inherited|ring|ring-out|ring-all|ring-closed

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST "GET /around HTTP/1.1\r\nHost: around.test\r\n\r\n"
#define RESPONSE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define HEAD "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"
enum { BODY = 10000 };

static struct sockaddr_in address = {.sin_family = AF_INET};
static int listener;
static char bytes[65536];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int call(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return made;
}

static void put(int socket, const char *text) {
    if (send(socket, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text)) fail("send");
}

static void take(int socket, size_t count) {
    for (ssize_t got; count; count -= (size_t)got) {
        if ((got = recv(socket, bytes, count, 0)) <= 0) fail("recv");
    }
}

static size_t take_all(int socket) {
    size_t all = 0;
    for (ssize_t got; (got = recv(socket, bytes, sizeof bytes, 0)) > 0;) all += (size_t)got;
    return all;
}

static void print_all(int socket) {
    printf("%zu\n", take_all(socket));
    fflush(stdout);
}

/// Asks in a process of its own, in the usual way.
static void begin_client(void) {
    if (fork()) return;
    int to = call();
    put(to, REQUEST);
    print_all(to);
    close(to);
    exit(0);
}

// MARK: from process to process

static void hand(int over, int descriptor) {
    union {
        char space[CMSG_SPACE(sizeof descriptor)];
        struct cmsghdr header;
    } control = {.header = {CMSG_LEN(sizeof descriptor), SOL_SOCKET, SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    struct iovec piece = {"x", 1};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (sendmsg(over, &message, 0) != 1) fail("sendmsg");
}

static int receive(int over) {
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control;
    char byte;
    struct iovec piece = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(over, &message, 0) != 1) fail("recvmsg");
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(&control.header), sizeof descriptor);
    return descriptor;
}

/// A process that takes one connection and answers it, after it has read the request or not.
static void begin_worker(int pair[2], int reads) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
    if (fork()) return;
    int from = receive(pair[1]);
    if (reads) take(from, sizeof REQUEST - 1);
    put(from, RESPONSE);
    close(from);
    exit(0);
}

static void handed(void) {
    int pair[2];
    begin_worker(pair, 1);
    begin_client();
    int from = accept(listener, NULL, NULL);
    hand(pair[0], from);
    close(from);
}

static void handed_used(void) {
    int pair[2];
    begin_worker(pair, 0);
    begin_client();
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    hand(pair[0], from);
    close(from);
}

/// To itself, and the first descriptor is closed.
static void handed_back(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
    begin_client();
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    hand(pair[0], from);
    int again = receive(pair[1]);
    close(from);
    put(again, RESPONSE);
    close(again);
}

/// A client's connection that another process has opened.
static void handed_called(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
    if (fork() == 0) {
        int to = receive(pair[1]);
        put(to, REQUEST);
        print_all(to);
        close(to);
        exit(0);
    }
    int to = call();
    hand(pair[0], to);
    close(to);
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    put(from, RESPONSE);
    close(from);
}

/// What an exec keeps.
static void inherited(char *program) {
    begin_client();
    int from = accept(listener, NULL, NULL);
    if (fork() == 0) {
        dup2(from, 0);
        dup2(from, 1);
        execl(program, program, "answer", NULL);
    }
    close(from);
}

// MARK: from descriptor to descriptor

static ssize_t move_raw(int from, int to, size_t count) {
    return syscall(SYS_splice, from, NULL, to, NULL, count, 0);
}

static ssize_t move(int from, int to, size_t count) { return splice(from, NULL, to, NULL, count, 0); }

static void spliced_by(ssize_t (*move)(int, int, size_t)) {
    int between[2];
    if (pipe(between) != 0 || write(between[1], bytes, BODY) != BODY) fail("pipe");
    begin_client();
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    put(from, HEAD);
    for (ssize_t moved, left = BODY; left; left -= moved) {
        if ((moved = move(between[0], from, (size_t)left)) <= 0) fail("splice");
    }
    close(from);
}

static void spliced(void) { spliced_by(move); }

static void spliced_raw(void) { spliced_by(move_raw); }

// MARK: other calls

/// By the calls that the C library makes inside of itself.
static void stdio(void) {
    begin_client();
    int from = accept(listener, NULL, NULL);
    FILE *stream = fdopen(from, "r+");
    while (fgets(bytes, sizeof bytes, stream) && strcmp(bytes, "\r\n") != 0);
    fseek(stream, 0, SEEK_CUR);
    fputs(RESPONSE, stream);
    fclose(stream);
}

static void stdio_in(void) {
    if (fork() == 0) {
        int to = call();
        FILE *stream = fdopen(to, "r");
        put(to, REQUEST);
        printf("%zu\n", fread(bytes, 1, sizeof bytes, stream));
        fclose(stream);
        exit(0);
    }
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    put(from, RESPONSE);
    close(from);
}

/// Takes the rest of a response without its bytes, as proxies do before they close.
static void discarded(void) {
    if (fork() == 0) {
        int to = call();
        size_t all = 0;
        put(to, REQUEST);
        take(to, sizeof HEAD - 1);
        for (ssize_t got; (got = recv(to, NULL, 1 << 20, MSG_TRUNC)) > 0;) all += (size_t)got;
        printf("%zu\n", all + sizeof HEAD - 1);
        close(to);
        exit(0);
    }
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    put(from, HEAD);
    if (send(from, bytes, BODY, 0) != BODY) fail("send");
    close(from);
}

static void many(void) {
    begin_client();
    int from = accept(listener, NULL, NULL);
    struct iovec pieces[2] = {{bytes, 10}, {bytes + 10, sizeof REQUEST - 11}};
    struct mmsghdr messages[2] = {
        {.msg_hdr = {.msg_iov = pieces, .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = pieces + 1, .msg_iovlen = 1}}};
    if (recvmmsg(from, messages, 2, 0, NULL) != 2) fail("recvmmsg");
    put(from, RESPONSE);
    close(from);
}

// MARK: io_uring, by its system calls

static struct io_uring_params made;
static char *submitted, *completed;
static struct io_uring_sqe *entries;
static int ring;

/// Ends the program if the system does not have it.
static void open_ring(void) {
    ring = (int)syscall(SYS_io_uring_setup, 4, &made);
    if (ring < 0) {
        puts("none");
        exit(0);
    }
    submitted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    completed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    entries = mmap(NULL, 4 * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    if (submitted == MAP_FAILED || completed == MAP_FAILED || entries == MAP_FAILED) fail("mmap");
}

/// Does one thing and waits for it.
static int run(int operation, int descriptor, const void *memory, unsigned count, uint64_t offset) {
    unsigned *tail = (unsigned *)(submitted + made.sq_off.tail), *head = (unsigned *)(completed + made.cq_off.head);
    unsigned place = *tail % made.sq_entries;
    entries[place] = (struct io_uring_sqe){
        .opcode = (uint8_t)operation, .fd = descriptor, .off = offset, .addr = (uintptr_t)memory, .len = count};
    ((unsigned *)(submitted + made.sq_off.array))[place] = place;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1) fail("io_uring_enter");
    int result = ((struct io_uring_cqe *)(completed + made.cq_off.cqes))[*head % made.cq_entries].res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    errno = -result;
    if (result < 0) fail("io_uring");
    return result;
}

static void take_by_ring(int from, size_t count) {
    for (int got; count; count -= (size_t)got) got = run(IORING_OP_RECV, from, bytes, (unsigned)count, 0);
}

/// The server's: its connection was accepted, and is closed, as usual.
static void by_ring(void) {
    open_ring();
    begin_client();
    int from = accept(listener, NULL, NULL);
    take_by_ring(from, sizeof REQUEST - 1);
    run(IORING_OP_SEND, from, RESPONSE, sizeof RESPONSE - 1, 0);
    close(from);
}

/// The server's response alone.
static void out_by_ring(void) {
    open_ring();
    begin_client();
    int from = accept(listener, NULL, NULL);
    take(from, sizeof REQUEST - 1);
    run(IORING_OP_SEND, from, RESPONSE, sizeof RESPONSE - 1, 0);
    close(from);
}

/// Everything at both ends, but that they are closed.
static void all_by_ring(void) {
    if (fork() == 0) {
        open_ring();
        int to = socket(AF_INET, SOCK_STREAM, 0);
        run(IORING_OP_CONNECT, to, &address, 0, sizeof address);
        run(IORING_OP_SEND, to, REQUEST, sizeof REQUEST - 1, 0);
        take_by_ring(to, sizeof RESPONSE - 1);
        printf("%zu\n", sizeof RESPONSE - 1);
        close(to);
        exit(0);
    }
    open_ring();
    int from = run(IORING_OP_ACCEPT, listener, NULL, 0, 0);
    take_by_ring(from, sizeof REQUEST - 1);
    run(IORING_OP_SEND, from, RESPONSE, sizeof RESPONSE - 1, 0);
    close(from);
}

/// Everything at the server.
static void closed_by_ring(void) {
    open_ring();
    begin_client();
    int from = run(IORING_OP_ACCEPT, listener, NULL, 0, 0);
    take_by_ring(from, sizeof REQUEST - 1);
    run(IORING_OP_SEND, from, RESPONSE, sizeof RESPONSE - 1, 0);
    run(IORING_OP_CLOSE, from, NULL, 0, 0);
}

/// What an inherited connection is used for.
static int answer(void) {
    for (size_t count = sizeof REQUEST - 1; count;) {
        ssize_t got = read(0, bytes, count);
        if (got <= 0) return 1;
        count -= (size_t)got;
    }
    return write(1, RESPONSE, sizeof RESPONSE - 1) != sizeof RESPONSE - 1;
}

int main(int count, char **words) {
    const struct { const char *name; void (*function)(void); } kinds[] = {
        {"handed", handed}, {"handed-used", handed_used}, {"handed-back", handed_back}, {"handed-called", handed_called},
        {"spliced", spliced}, {"spliced-raw", spliced_raw}, {"stdio", stdio}, {"stdio-in", stdio_in},
        {"discarded", discarded}, {"many", many}, {"ring", by_ring}, {"ring-out", out_by_ring}, {"ring-all", all_by_ring},
        {"ring-closed", closed_by_ring}};
    if (count == 2 && strcmp(words[1], "answer") == 0) return answer();
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    if (count == 2 && strcmp(words[1], "inherited") == 0) inherited(words[0]);
    for (size_t i = 0; count == 2 && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(words[1], kinds[i].name) == 0) kinds[i].function();
    }
    while (wait(NULL) > 0);
    return 0;
}
