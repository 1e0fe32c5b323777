// Takes the messages that wait in a socket, many with one system call.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "CCurlTap.h"

#define MESSAGES 64

// The system backs only the pages that messages have filled, so small messages keep it small.
struct wwt_inbox {
    size_t counts[MESSAGES];
    uint8_t bytes[MESSAGES][WWT_MESSAGE_MAX];
};

wwt_inbox *wwt_inbox_create(void) { return malloc(sizeof(wwt_inbox)); }

void wwt_inbox_destroy(wwt_inbox *inbox) { free(inbox); }

int wwt_inbox_receive(wwt_inbox *inbox, int socket) {
#ifdef __linux__
    struct iovec places[MESSAGES];
    struct mmsghdr headers[MESSAGES];
    memset(headers, 0, sizeof headers);
    for (int i = 0; i < MESSAGES; i++) {
        places[i] = (struct iovec){inbox->bytes[i], WWT_MESSAGE_MAX};
        headers[i].msg_hdr.msg_iov = &places[i];
        headers[i].msg_hdr.msg_iovlen = 1;
    }
    int count;
    do count = recvmmsg(socket, headers, MESSAGES, MSG_DONTWAIT, NULL);
    while (count < 0 && errno == EINTR);
    for (int i = 0; i < count; i++) inbox->counts[i] = headers[i].msg_len;
#else
    ssize_t length;
    do length = recv(socket, inbox->bytes[0], WWT_MESSAGE_MAX, MSG_DONTWAIT);
    while (length < 0 && errno == EINTR);
    int count = length < 0 ? -1 : 1;
    inbox->counts[0] = length < 0 ? 0 : (size_t)length;
#endif
    return count >= 0 ? count : errno == EAGAIN ? 0 : -1;
}

const uint8_t *wwt_inbox_message(const wwt_inbox *inbox, int index, size_t *count) {
    *count = inbox->counts[index];
    return inbox->bytes[index];
}
