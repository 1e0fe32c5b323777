// Sends the frames of exchanges to the command that started it, as fast as the command takes them.
//
//   replay COUNT
//
// The frames are those that the tap sends for curl, which calls an nginx on loopback again and again: the same in every run,
// except for the moments, which begin now. Each response has a request id and each second a date of its own; every other
// line repeats.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "tap_frames.h"

enum { LOCAL_PORT = 37642, REMOTE_PORT = 80, PACE = 150000 };

static const char url[] = "http://api.example.com/v1/items?page=1";
static const char address[] = "10.0.0.1";
static const char head_out[] =
    "GET /v1/items?page=1 HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n";

static uint8_t message[4096];
static size_t filled;
static int command;

// A frame: its body, then `texts` strings, each with its length before it.
static void frame(uint32_t kind, uint64_t transfer, uint64_t at, const void *body, size_t size, int texts, ...) {
    wwt_frame header = {.kind = kind, .transfer = transfer, .monotonic = at};
    uint8_t *start = message + filled, *place = start + sizeof header;
    memcpy(place, body, size);
    place += size;
    va_list list;
    va_start(list, texts);
    while (texts-- > 0) {
        const char *text = va_arg(list, const char *);
        uint32_t count = (uint32_t)strlen(text);
        memcpy(place, &count, sizeof count);
        memcpy(place + sizeof count, text, count);
        place += sizeof count + count;
    }
    va_end(list);
    header.size = (uint32_t)(place - start);
    memcpy(start, &header, sizeof header);
    filled += header.size;
}

static void send_message(void) {
    if (send(command, message, filled, MSG_NOSIGNAL) != (ssize_t)filled) {
        perror("replay: send");
        exit(70);
    }
    filled = 0;
}

static wwt_times times(uint64_t number, int64_t total) {
    return (wwt_times){.queue = -1, .name_lookup = 7 + (int64_t)(number * 7 % 11), .total = total};
}

// A number that looks random: the finalizer of SplitMix64.
static uint64_t mixed(uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

int main(int count, char **words) {
    const char *path = getenv("WIREWEIGHT_SOCKET");
    if (count != 2 || !path) {
        fprintf(stderr, "usage: wireweight run -- replay COUNT\n");
        return 64;
    }
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    command = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (connect(command, (struct sockaddr *)&name, sizeof name)) {
        perror("replay: connect");
        return 70;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t at = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    wwt_hello_body hello = {.protocol = WWT_PROTOCOL, .pid = getpid(), .parent = getppid(), .has_libcurl = 1};
    frame(WWT_HELLO, 0, at, &hello, sizeof hello, 2, "/usr/bin/curl", "libcurl/7.88.1 OpenSSL/3.0.19");
    send_message();

    wwt_tcp tcp = {.known = WWT_TCP_OPEN, .round_trip = 22, .segments_sent = 3, .segments_received = 2};
    uint64_t exchanges = strtoull(words[1], NULL, 10);
    for (uint64_t number = 1; number <= exchanges; number++) {
        int is_first = number == 1;
        uint64_t start = at + number * PACE, sent = start + 20000 + mixed(number) % 5000;
        uint64_t come = sent + 40000 + mixed(number + 1) % 30000, over = come + 8000 + mixed(number + 2) % 4000;
        wwt_begin_body begin = {.handle = 0x55F60EB30000 + number * 0x12C0};
        frame(WWT_BEGIN, number, start, &begin, sizeof begin, 0);
        wwt_request_body request = {
            .times = times(number, (int64_t)(sent - start) / 1000), .connects = is_first, .local_port = LOCAL_PORT,
            .remote_port = REMOTE_PORT};
        frame(WWT_REQUEST, number, sent, &request, sizeof request, 2, url, address);
        if (is_first) {
            wwt_connection_body connection = {.local_port = LOCAL_PORT, .remote_port = REMOTE_PORT};
            frame(WWT_CONNECTION, number, sent, &connection, sizeof connection, 5, "10.0.0.9", address, "", "", "");
        }
        frame(WWT_HEAD_OUT, number, sent, head_out, sizeof head_out - 1, 0);
        send_message();

        char head_in[1024];
        int size = snprintf(
            head_in, sizeof head_in,
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sun, 22 Nov 2026 22:%02d:%02d GMT\r\n"
            "Content-Type: application/json\r\nContent-Length: 0\r\nConnection: keep-alive\r\n"
            "X-Request-Id: %016llx%016llx\r\nCache-Control: max-age=60, private\r\n"
            "Strict-Transport-Security: max-age=31536000; includeSubDomains\r\nX-Content-Type-Options: nosniff\r\n"
            "Vary: Accept-Encoding\r\n\r\n",
            (int)(number * PACE / 60000000000 % 60), (int)(number * PACE / 1000000000 % 60),
            (unsigned long long)mixed(2 * number), (unsigned long long)mixed(2 * number + 1));
        frame(WWT_HEAD_IN, number, come, head_in, (size_t)size, 0);

        tcp.sent += sizeof head_out - 1;
        tcp.received += (uint64_t)size;
        tcp.segments_sent++;
        tcp.segments_received++;
        wwt_end_body end = {
            .times = times(number, (int64_t)(over - start) / 1000), .how = WWT_END_DONE, .header_size = size,
            .connects = is_first, .local_port = LOCAL_PORT, .remote_port = REMOTE_PORT, .http_version = 2, .tcp = tcp};
        frame(WWT_END, number, over, &end, sizeof end, 4, url, address, "", "GET");
        send_message();
    }
    wwt_socket_body closed = {.local_port = LOCAL_PORT, .remote_port = REMOTE_PORT, .tcp = tcp};
    frame(WWT_SOCKET_CLOSED, 0, at + (exchanges + 1) * PACE, &closed, sizeof closed, 2, "10.0.0.9", address);
    send_message();
    close(command);
    return 0;
}
