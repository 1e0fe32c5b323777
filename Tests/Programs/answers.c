// The two ends that `curl` needs under the tap: an origin that answers each request of HTTP with the same response, and a
// listener that takes the tap's messages from its ring, as the command does while one exchange follows the other.
//
//   answers SOCKET SIZE PAUSE
//
// Listens for messages at the path SOCKET, prints the port of the origin, and ends with its standard input. The response has
// eight lines of headers and SIZE bytes of content. It comes PAUSE milliseconds after the request, so that `curl` always has to
// wait for it: what it does must not depend on who is faster.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "CCurlTap.h"

enum { RING_PAUSE = 2 }; // milliseconds

enum { INPUT, ORIGIN, COMMAND, CONNECTIONS, MOST = 64 };

static const char head[] =
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Thu, 26 Nov 2026 12:00:00 GMT\r\nContent-Type: application/json\r\n"
    "Content-Length: %zu\r\nConnection: keep-alive\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\n"
    "X-Request-Id: 5f2b7c0e9a1d4e63\r\n\r\n";
static struct pollfd watched[MOST] = {{.fd = 0, .events = POLLIN}};
static bool is_client[MOST];
static wwt_shared_reader *rings[MOST];
static int used = CONNECTIONS;
static char bytes[1 << 20];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int listen_at(int domain, int type, const void *address, socklen_t size) {
    int made = socket(domain, type, 0);
    if (made < 0 || bind(made, address, size) != 0 || listen(made, 8) != 0) fail("listen");
    return made;
}

static void take_connection(int place) {
    int made = accept(watched[place].fd, NULL, NULL), on = 1;
    if (made < 0 || used == MOST) fail("accept");
    if (place == ORIGIN) setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    is_client[used] = place == ORIGIN;
    rings[used] = NULL;
    watched[used++] = (struct pollfd){.fd = made, .events = POLLIN};
}

static void drop_connection(int place) {
    close(watched[place].fd);
    wwt_shared_reader_free(rings[place]);
    watched[place] = watched[--used];
    is_client[place] = is_client[used];
    rings[place] = rings[used];
}

static ssize_t receive(int place) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec piece = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(watched[place].fd, &message, 0);
    struct cmsghdr *head = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    int memory;
    if (head && head->cmsg_type == SCM_RIGHTS) {
        memcpy(&memory, CMSG_DATA(head), sizeof memory);
        rings[place] = wwt_shared_reader_open(memory);
        if (!rings[place]) fail("ring");
    }
    return got;
}

static bool drop_messages(void) {
    bool has_rings = false;
    for (int place = CONNECTIONS; place < used; place++) {
        size_t count;
        bool is_malformed;
        while (rings[place] && wwt_shared_reader_take(rings[place], &count, &is_malformed)) {}
        has_rings |= rings[place] != NULL;
    }
    return has_rings;
}

/// `curl` sends each request in one piece.
static void answer(int to, const char *response, size_t length) {
    while (length) {
        ssize_t sent = send(to, response, length, MSG_NOSIGNAL);
        if (sent < 0) return;
        response += sent;
        length -= (size_t)sent;
    }
}

int main(int count, char **words) {
    if (count != 4) return 64;
    size_t size = strtoul(words[2], NULL, 10), length;
    useconds_t pause = (useconds_t)strtoul(words[3], NULL, 10) * 1000;
    char *response = malloc(sizeof head + 32 + size);
    if (!response) fail("malloc");
    length = (size_t)sprintf(response, head, size);
    memset(response + length, 'x', size);
    length += size;

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    if (strlen(words[1]) >= sizeof path.sun_path) return 64;
    strcpy(path.sun_path, words[1]);
    watched[ORIGIN] = (struct pollfd){
        .fd = listen_at(AF_INET, SOCK_STREAM, &address, sizeof address), .events = POLLIN};
    watched[COMMAND] = (struct pollfd){.fd = listen_at(AF_UNIX, SOCK_SEQPACKET, &path, sizeof path), .events = POLLIN};
    socklen_t room = sizeof address;
    getsockname(watched[ORIGIN].fd, (struct sockaddr *)&address, &room);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    char losses[sizeof path.sun_path + sizeof WWT_LOSSES];
    sprintf(losses, "%s%s", path.sun_path, WWT_LOSSES);
    if (creat(losses, 0600) < 0) fail("creat");

    while (poll(watched, (nfds_t)used, drop_messages() ? RING_PAUSE : -1) >= 0 && !watched[INPUT].revents) {
        for (int place = used - 1; place >= CONNECTIONS; place--) {
            if (!watched[place].revents) continue;
            ssize_t got = receive(place);
            if (got <= 0) {
                drop_connection(place);
            } else if (is_client[place]) {
                usleep(pause);
                answer(watched[place].fd, response, length);
            }
        }
        if (watched[ORIGIN].revents) take_connection(ORIGIN);
        if (watched[COMMAND].revents) take_connection(COMMAND);
    }
    return 0;
}
