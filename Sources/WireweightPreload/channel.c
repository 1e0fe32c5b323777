#ifdef __linux__
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "CCurlTap.h"

// Each message is one send: the socket keeps their borders, so threads need no lock between them.

/// Programs count on low descriptors being theirs.
#define HIGH_DESCRIPTOR 700
/// Messages that found no room wait here, in all; beyond that they are lost, and counted.
#define MOST_WAITING (4u << 20)

static char path[sizeof((struct sockaddr_un *)0)->sun_path];
static int descriptor = -1;
static dev_t device;
static ino_t inode;
static bool dead; // the command is gone: the program runs on, unmetered
static pthread_mutex_t connecting = PTHREAD_MUTEX_INITIALIZER;

typedef struct message {
    struct message *next;
    size_t count;
    uint8_t bytes[];
} message;

static message *waiting, **waiting_end = &waiting;
static size_t waiting_bytes;
static uint64_t lost;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

bool channel_open(const char *where) {
    if (!where || strlen(where) >= sizeof path) return false;
    strcpy(path, where);
    return true;
}

/// The command is there, but has not taken earlier connections yet.
#define BUSY (-2)

static int connect_now(void) {
    int low = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (low < 0) return -1;
    int high = fcntl(low, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (high >= 0) close(low);
    int made = high >= 0 ? high : low;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    uint8_t hello[2048];
    size_t count = wwt_hello(hello, sizeof hello);
    errno = 0;
    if (count == 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0
        || send(made, hello, count, MSG_NOSIGNAL) != (ssize_t)count) {
        int busy = errno == EAGAIN;
        close(made);
        return busy ? BUSY : -1;
    }
    int room = 1 << 20;
    setsockopt(made, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    return made;
}

/// The connection, made now if there is none. Whoever closes all descriptors closes ours, too, and may have opened
/// another file in its place since: that one is not ours to write to.
static int connection(void) {
    int now = __atomic_load_n(&descriptor, __ATOMIC_ACQUIRE);
    struct stat status;
    if (now >= 0 && fstat(now, &status) == 0 && status.st_dev == device && status.st_ino == inode) return now;
    pthread_mutex_lock(&connecting);
    if (descriptor == now) {
        int made = connect_now();
        if (made == BUSY) {
            pthread_mutex_unlock(&connecting);
            return BUSY;
        }
        if (made < 0 || fstat(made, &status) != 0) {
            __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
        } else {
            device = status.st_dev;
            inode = status.st_ino;
        }
        __atomic_store_n(&descriptor, made, __ATOMIC_RELEASE);
    }
    now = descriptor;
    pthread_mutex_unlock(&connecting);
    return now;
}

enum sent { SENT, NO_ROOM, GONE };

static enum sent send_message(const uint8_t *bytes, size_t count, int flags) {
    if (__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) return GONE;
    int before = errno;
    int to = connection();
    enum sent result = to == BUSY ? NO_ROOM : GONE;
    if (to >= 0) {
        ssize_t sent;
        do sent = send(to, bytes, count, MSG_NOSIGNAL | flags);
        while (sent < 0 && errno == EINTR);
        if (sent == (ssize_t)count) {
            result = SENT;
        } else if (errno == EAGAIN || errno == ENOBUFS) {
            result = NO_ROOM;
        } else if (errno == EMSGSIZE) {
            __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
        } else {
            __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
        }
    }
    errno = before;
    return result;
}

/// Puts a message behind those that wait.
static void keep(const uint8_t *bytes, size_t count) {
    message *kept = malloc(sizeof *kept + count);
    pthread_mutex_lock(&queue);
    if (kept) {
        kept->next = NULL;
        kept->count = count;
        memcpy(kept->bytes, bytes, count);
        __atomic_store_n(waiting_end, kept, __ATOMIC_RELEASE);
        waiting_end = &kept->next;
        waiting_bytes += count;
    } else {
        __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&queue);
}

static bool some_wait(void) { return __atomic_load_n(&waiting, __ATOMIC_ACQUIRE) != NULL; }

/// The lock is held while a message is sent, which does not block: were it out of the queue meanwhile, the next message
/// of the same transfer would overtake it.
static void send_waiting(void) {
    if (!some_wait()) return;
    pthread_mutex_lock(&queue);
    while (waiting) {
        message *first = waiting;
        if (send_message(first->bytes, first->count, MSG_DONTWAIT) == NO_ROOM) break;
        __atomic_store_n(&waiting, first->next, __ATOMIC_RELEASE);
        if (!waiting) waiting_end = &waiting;
        waiting_bytes -= first->count;
        free(first);
    }
    pthread_mutex_unlock(&queue);
}

/// Whether there is room for so much to wait.
static bool has_room(size_t count) {
    pthread_mutex_lock(&queue);
    bool fits = waiting_bytes + count <= MOST_WAITING;
    pthread_mutex_unlock(&queue);
    return fits;
}

/// Tells how much was lost on the way, once there is room to.
static void tell_lost(void) {
    uint64_t count = __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);
    if (!count) return;
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } told = {{sizeof told, WWT_LOST, 0, 0}, {count, WWT_LOST_BUFFER_FULL, 0}};
    if (send_message((const uint8_t *)&told, sizeof told, MSG_DONTWAIT) != SENT) {
        __atomic_add_fetch(&lost, count, __ATOMIC_RELAXED);
    }
}

/// A message that is larger than the socket takes at once goes in pieces that end between frames.
#define MESSAGE_MAX (64u << 10)

static size_t piece_of(const uint8_t *frames, size_t count) {
    size_t piece = 0;
    while (piece < count) {
        wwt_frame frame;
        memcpy(&frame, frames + piece, sizeof frame);
        if (piece && piece + frame.size > MESSAGE_MAX) break;
        piece += frame.size;
    }
    return piece;
}

bool channel_emit(void *context, const uint8_t *frames, size_t count, bool last) {
    (void)context;
    send_waiting();
    if (__atomic_load_n(&lost, __ATOMIC_RELAXED)) tell_lost();
    // All or nothing: frames with a gap between them would be misread.
    if (some_wait() && !has_room(count)) {
        if (last) __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
        return false;
    }
    while (count) {
        size_t piece = piece_of(frames, count);
        // What waits goes first: a transfer's messages must arrive in order.
        if (some_wait() || send_message(frames, piece, MSG_DONTWAIT) == NO_ROOM) keep(frames, piece);
        frames += piece;
        count -= piece;
    }
    return true;
}

void channel_announce(void) {
    int made = connect_now();
    if (made >= 0) close(made);
}

void channel_finish(void) {
    for (int tries = 0; tries < 100 && some_wait(); tries++) {
        send_waiting();
        if (!some_wait() || __atomic_load_n(&dead, __ATOMIC_ACQUIRE)) break;
        struct pollfd room = {__atomic_load_n(&descriptor, __ATOMIC_ACQUIRE), POLLOUT, 0};
        poll(&room, 1, 10);
    }
    tell_lost();
}

void channel_forked(void) {
    pthread_mutex_init(&connecting, NULL);
    pthread_mutex_init(&queue, NULL);
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
    waiting = NULL;
    waiting_end = &waiting;
    waiting_bytes = 0;
    lost = 0;
}

#endif
