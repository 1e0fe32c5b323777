// The channel of the preloaded library when nothing takes its messages, with the code of the tap itself.
//
// usage: channel SOCKET      prints the transfers that were reported lost after the first message that was

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CCurlTap.h"
#include "channel.h"

size_t wwt_hello(uint8_t *bytes, size_t capacity) {
    wwt_frame frame = {sizeof frame, WWT_HELLO, 0, 0};
    if (capacity < sizeof frame) return 0;
    memcpy(bytes, &frame, sizeof frame);
    return sizeof frame;
}

bool wwt_are_contents(const uint8_t *frames) {
    (void)frames;
    return false;
}

enum { LARGE = 40000 };
static uint8_t buffer[8 * LARGE];
static size_t length;

static void add(uint64_t transfer, uint32_t size) {
    wwt_frame frame = {size, WWT_HEAD_IN, transfer, 0};
    memcpy(buffer + length, &frame, sizeof frame);
    length += size;
}

int main(int count, char **words) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count != 2 || strlen(words[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, words[1]);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) return 1;
    if (!channel_open(words[1])) return 1;
    // Until there is no room for one more, after which nothing of the next ones finds any.
    add(1, LARGE);
    while (channel_emit(NULL, buffer, length, false)) {}
    length = 0;
    add(0, 40);
    for (int i = 0; i < 6; i++) add(2 + (uint64_t)i % 3, LARGE);
    channel_emit(NULL, buffer, length, true);
    // Now all is taken.
    int taken = accept(listener, NULL, NULL);
    pid_t child = fork();
    if (child == 0) {
        channel_forked();
        static uint8_t message[1 << 20];
        for (ssize_t got; (got = recv(taken, message, sizeof message, 0)) > 0;) {
            for (size_t done = 0; done < (size_t)got;) {
                wwt_frame frame;
                memcpy(&frame, message + done, sizeof frame);
                wwt_lost_body body;
                if (frame.kind == WWT_LOST) memcpy(&body, message + done + sizeof frame, sizeof body);
                if (frame.kind == WWT_LOST) printf("%d×%d ", (int)frame.transfer, (int)body.count);
                done += frame.size;
            }
        }
        puts("");
        exit(0);
    }
    close(taken);
    channel_finish();
    channel_forked(); // closes it
    wait(NULL);
    return 0;
}
