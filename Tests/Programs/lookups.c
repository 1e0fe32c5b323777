// Asks the resolver at 127.0.0.1 for a name in each way to send and receive datagrams: way0.test, way1.test and so on, and
// in connections: tcp0.test and so on. The last ones are not answered, or are not for a resolver at all. Prints how many
// answers came.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static const struct sockaddr_in resolver = {
    .sin_family = AF_INET, .sin_port = 0x3500, .sin_addr.s_addr = 0x0100007F};

/// A question for the address of a name of one digit more than `way`.
static size_t question(unsigned char *bytes, const char *label) {
    size_t length = strlen(label), count = 0;
    const unsigned char header[] = {0x51, (unsigned char)label[length - 1], 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    memcpy(bytes, header, sizeof header);
    count = sizeof header;
    bytes[count++] = (unsigned char)length;
    memcpy(bytes + count, label, length);
    count += length;
    memcpy(bytes + count, "\4test\0\0\1\0\1", 10);
    return count + 10;
}

static int open_socket(bool connects, uint16_t port) {
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    struct timeval limit = {.tv_sec = 20};
    assert(setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    struct sockaddr_in to = resolver;
    to.sin_port = htons(port);
    if (connects) assert(connect(made, (struct sockaddr *)&to, sizeof to) == 0);
    return made;
}

/// A question with its length before it, as in a connection.
static size_t framed(unsigned char *bytes, const char *label) {
    size_t count = question(bytes + 2, label);
    bytes[0] = 0;
    bytes[1] = (unsigned char)count;
    return count + 2;
}

static int open_connection(void) {
    int made = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval limit = {.tv_sec = 20};
    assert(setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    assert(connect(made, (const struct sockaddr *)&resolver, sizeof resolver) == 0);
    return made;
}

/// Reads a message in pieces of that size.
static int read_message(int from, size_t piece) {
    unsigned char bytes[4096];
    size_t have = 0, size = 2;
    while (have < size) {
        size_t left = size - have;
        ssize_t got = recv(from, bytes + have, left < piece ? left : piece, 0);
        if (got <= 0) return 0;
        have += (size_t)got;
        if (have == 2) size = 2 + ((size_t)bytes[0] << 8 | bytes[1]);
    }
    return 1;
}

static int connections(void) {
    unsigned char out[512];
    int answers = 0, made = open_connection();
    size_t count = framed(out, "tcp0");
    assert(send(made, out, count, 0) == (ssize_t)count);
    answers += read_message(made, 4096);
    // The same connection again, byte by byte in both directions.
    count = framed(out, "tcp1");
    for (size_t i = 0; i < count; i++) assert(write(made, out + i, 1) == 1);
    answers += read_message(made, 1);
    // Two questions in one call, whose answers may come in one piece.
    count = framed(out, "tcp2");
    count += framed(out + count, "tcp3");
    struct iovec pieces[] = {{out, 3}, {out + 3, count - 3}};
    assert(writev(made, pieces, 2) == (ssize_t)count);
    answers += read_message(made, 5) + read_message(made, 4096);
    // A message of no bytes, and one that is none of DNS.
    assert(send(made, "\0\0\0\3abc", 7, 0) == 7);
    count = framed(out, "tcp4");
    assert(send(made, out, count, 0) == (ssize_t)count);
    answers += read_message(made, 4096);
    // A question that is not whole, and so none.
    count = framed(out, "tcp5");
    assert(send(made, out, count - 1, 0) == (ssize_t)count - 1);
    close(made);

    // Given up.
    made = open_connection();
    count = framed(out, "silent3");
    assert(send(made, out, count, 0) == (ssize_t)count);
    close(made);
    // The resolver resets the connection.
    made = open_connection();
    count = framed(out, "reset1");
    assert(send(made, out, count, 0) == (ssize_t)count);
    assert(recv(made, out, sizeof out, 0) < 0);
    close(made);
    return answers;
}

int main(void) {
    unsigned char out[512], in[2048];
    int answers = 0, made;
    size_t count;
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;

    made = open_socket(true, 53);
    count = question(out, "way0");
    assert(send(made, out, count, 0) == (ssize_t)count);
    answers += recv(made, in, sizeof in, 0) > 0;
    // The same socket again, by a duplicate.
    int other = dup(made);
    close(made);
    count = question(out, "way1");
    assert(write(other, out, count) == (ssize_t)count);
    answers += read(other, in, sizeof in) > 0;
    close(other);

    made = open_socket(false, 0);
    count = question(out, "way2");
    assert(sendto(made, out, count, 0, (const struct sockaddr *)&resolver, sizeof resolver) == (ssize_t)count);
    answers += recvfrom(made, in, sizeof in, 0, (struct sockaddr *)&peer, &size) > 0;
    close(made);

    // In two pieces each.
    made = open_socket(false, 0);
    count = question(out, "way3");
    struct iovec sent[] = {{out, 5}, {out + 5, count - 5}}, got[] = {{in, 7}, {in + 7, sizeof in - 7}};
    struct msghdr message = {.msg_name = (void *)(uintptr_t)&resolver, .msg_namelen = sizeof resolver, .msg_iov = sent, .msg_iovlen = 2};
    assert(sendmsg(made, &message, 0) == (ssize_t)count);
    struct msghdr answer = {.msg_name = &peer, .msg_namelen = sizeof peer, .msg_iov = got, .msg_iovlen = 2};
    answers += recvmsg(made, &answer, 0) > 0;
    close(made);

    // Several in one call, as glibc sends A and AAAA.
    made = open_socket(true, 53);
    unsigned char second[512], more[2048];
    size_t counts[] = {question(out, "way4"), question(second, "way5")};
    struct iovec both[] = {{out, counts[0]}, {second, counts[1]}}, into[] = {{in, sizeof in}, {more, sizeof more}};
    struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &both[0], .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = &both[1], .msg_iovlen = 1}}};
    assert(sendmmsg(made, messages, 2, 0) == 2);
    for (int i = 0; i < 2; i++) messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &into[i], .msg_iovlen = 1}};
    answers += recvmmsg(made, messages, 2, MSG_WAITFORONE, NULL) > 0;
    if (messages[1].msg_len == 0) answers += recv(made, more, sizeof more, 0) > 0;
    else answers++;
    close(made);

    // Sent three times; looked at before it is taken.
    made = open_socket(true, 53);
    count = question(out, "way6");
    for (int i = 0; i < 3; i++) assert(send(made, out, count, 0) == (ssize_t)count);
    answers += recv(made, in, sizeof in, MSG_PEEK) > 0;
    answers += recv(made, in, sizeof in, 0) > 0;
    close(made);

    // To another port, of the same socket, too; what that would be is not asked.
    made = open_socket(false, 0);
    struct sockaddr_in elsewhere = resolver;
    elsewhere.sin_port = htons(5353);
    count = question(out, "way7");
    sendto(made, out, count, 0, (struct sockaddr *)&elsewhere, sizeof elsewhere);
    count = question(out, "way8");
    assert(sendto(made, out, count, 0, (const struct sockaddr *)&resolver, sizeof resolver) == (ssize_t)count);
    answers += recv(made, in, sizeof in, 0) > 0;
    count = question(out, "way9");
    sendto(made, out, count, 0, (struct sockaddr *)&elsewhere, sizeof elsewhere);
    close(made);

    // Given up; and what is no message.
    made = open_socket(true, 53);
    count = question(out, "silent1");
    assert(send(made, out, count, 0) == (ssize_t)count);
    assert(send(made, "hello", 5, 0) == 5);
    close(made);
    // Open at the end.
    made = open_socket(true, 53);
    count = question(out, "silent2");
    assert(send(made, out, count, 0) == (ssize_t)count);

    // Nothing listens at that address.
    made = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in nowhere = resolver;
    nowhere.sin_addr.s_addr = htonl(0x7F070707);
    assert(connect(made, (struct sockaddr *)&nowhere, sizeof nowhere) == 0);
    count = question(out, "refused1");
    assert(send(made, out, count, 0) == (ssize_t)count);
    assert(recv(made, in, sizeof in, 0) < 0);
    close(made);
    printf("%d\n", answers + connections());
    return 0;
}
