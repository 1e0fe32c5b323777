// Takes the messages that wait in a socket, many with one system call.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CCurlTap.h"

#define MESSAGES 64

// The system backs only the pages that messages have filled, so small messages keep it small.
struct wwt_inbox {
    int descriptor;
    size_t counts[MESSAGES];
    uint8_t bytes[MESSAGES][WWT_MESSAGE_MAX];
};

wwt_inbox *wwt_inbox_create(void) {
    wwt_inbox *inbox = malloc(sizeof *inbox);
    if (inbox) inbox->descriptor = -1;
    return inbox;
}

int wwt_inbox_take_descriptor(wwt_inbox *inbox) {
    int descriptor = inbox->descriptor;
    inbox->descriptor = -1;
    return descriptor;
}

void wwt_inbox_destroy(wwt_inbox *inbox) {
    int left = wwt_inbox_take_descriptor(inbox);
    if (left >= 0) close(left);
    free(inbox);
}

#ifdef __linux__
/// One descriptor comes with the first message of a connection. The system closes others, for which there is no room.
static void note_descriptor(wwt_inbox *inbox, struct msghdr *header) {
    struct cmsghdr *control = CMSG_FIRSTHDR(header);
    if (!control || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) return;
    int former = wwt_inbox_take_descriptor(inbox);
    if (former >= 0) close(former);
    memcpy(&inbox->descriptor, CMSG_DATA(control), sizeof inbox->descriptor);
}
#endif

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
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    headers[0].msg_hdr.msg_control = control.bytes;
    headers[0].msg_hdr.msg_controllen = sizeof control.bytes;
    int count;
    do count = recvmmsg(socket, headers, MESSAGES, MSG_DONTWAIT | MSG_CMSG_CLOEXEC, NULL);
    while (count < 0 && errno == EINTR);
    if (count > 0) note_descriptor(inbox, &headers[0].msg_hdr);
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
