#ifdef __linux__
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "CCurlTap.h"
#include "clock.h"

// Messages go into a ring in memory that the command shares, so that they need no system call. The command gets it by the
// socket, with the hello, and what else the socket carries wakes the command. Where there is no such memory, each message
// is one send. Both keep message boundaries, so threads need no lock between them.

/// Programs expect low descriptors for themselves. So ours is as high as is allowed without making tables grow.
#define HIGH_DESCRIPTOR 700

static int lowest_of_ours(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > HIGH_DESCRIPTOR) return HIGH_DESCRIPTOR;
    return (int)(limit.rlim_cur - limit.rlim_cur / 4);
}
/// How many bytes of messages may wait because the socket had no room; messages beyond that are lost, and counted.
#define MOST_WAITING (4u << 20)
/// A lower limit for kept content of bodies, which leaves room for the messages that meter.
#define MOST_CONTENTS_WAITING (3u << 20)
/// Extra room beyond `MOST_WAITING` for messages that report losses.
#define ROOM_FOR_LOSSES (256u << 10)

static char path[sizeof((struct sockaddr_un *)0)->sun_path];
static int descriptor = -1;
static bool is_doubted; // the program may have closed the descriptor
static wwt_shared_ring *ring; // of the connection, if it has one; mapped to the end, because threads may be using it
static dev_t device;
static ino_t inode;
static bool dead; // the command is gone: the program runs on, not metered
static pthread_mutex_t connecting = PTHREAD_MUTEX_INITIALIZER;

typedef struct message {
    struct message *next;
    size_t count;
    uint8_t bytes[];
} message;

static message *waiting, **waiting_end = &waiting;
static size_t waiting_bytes;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

bool channel_open(const char *where) {
    if (!where || strlen(where) >= sizeof path) return false;
    strcpy(path, where);
    return true;
}

/// No connection now, but perhaps later: the command has not accepted earlier connections yet, or the program has used
/// up its descriptors.
#define BUSY (-2)

static bool passes(int error) {
    return error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS
        || error == EINTR;
}

/// A program that closes all descriptors gets a new ring each time, up to this number.
enum { MOST_RINGS = 16 };

/// The command that takes rings counts losses, too.
static bool may_have_ring(void) {
    static int rings;
    char file[sizeof path + sizeof WWT_LOSSES];
    strcpy(file, path);
    strcat(file, WWT_LOSSES);
    return __atomic_load_n(&rings, __ATOMIC_RELAXED) < MOST_RINGS && access(file, F_OK) == 0
        && __atomic_fetch_add(&rings, 1, __ATOMIC_RELAXED) < MOST_RINGS;
}

/// Sends the hello, and with it the memory of a ring if there is one.
static bool send_hello(int to, int memory) {
    uint8_t hello[2048];
    size_t count = wwt_hello(hello, sizeof hello);
    if (count == 0) {
        errno = 0;
        return false;
    }
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof memory)];
    } control = {0};
    struct iovec piece = {hello, count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (memory >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof memory);
        memcpy(CMSG_DATA(head), &memory, sizeof memory);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)count;
}

/// `made_ring`: where to put a ring; NULL for a connection that carries nothing else.
static int connect_now(wwt_shared_ring **made_ring) {
    int low = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (low < 0) return passes(errno) ? BUSY : -1;
    int high = fcntl(low, F_DUPFD_CLOEXEC, lowest_of_ours());
    if (high >= 0) close(low);
    int made = high >= 0 ? high : low;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int memory = -1;
    bool is_connected = connect(made, (struct sockaddr *)&address, sizeof address) == 0;
    if (is_connected && made_ring && may_have_ring()) *made_ring = wwt_shared_ring_create(&memory);
    bool is_done = is_connected && send_hello(made, memory);
    bool is_busy = !is_done && passes(errno);
    if (memory >= 0) close(memory);
    if (!is_done) {
        if (made_ring && *made_ring) wwt_shared_ring_unmap(*made_ring);
        close(made);
        return is_busy ? BUSY : -1;
    }
    int room = 1 << 20;
    setsockopt(made, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    return made;
}

/// Whether a descriptor is still the connection that we made.
static bool is_ours(int candidate) {
    struct stat status;
    return candidate >= 0 && fstat(candidate, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

/// The connection, made now if there is none. A program that closes all descriptors closes ours, too. It may have
/// opened another file with that number since, and we must not write to that.
static int connection(void) {
    int now = __atomic_load_n(&descriptor, __ATOMIC_ACQUIRE);
    if (is_ours(now)) return now;
    pthread_mutex_lock(&connecting);
    if (descriptor == now) {
        struct stat status;
        wwt_shared_ring *made_ring = NULL;
        int made = connect_now(&made_ring);
        if (made == BUSY) {
            pthread_mutex_unlock(&connecting);
            return BUSY;
        }
        if (made < 0 || fstat(made, &status) != 0) {
            __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
        } else {
            device = status.st_dev;
            inode = status.st_ino;
            __atomic_store_n(&ring, made_ring, __ATOMIC_RELEASE);
        }
        __atomic_store_n(&descriptor, made, __ATOMIC_RELEASE);
    }
    now = descriptor;
    pthread_mutex_unlock(&connecting);
    return now;
}

enum sent { SENT, NO_ROOM, GONE };

static enum sent send_by_socket(int to, const void *bytes, size_t count) {
    ssize_t sent;
    do sent = send(to, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent == (ssize_t)count) return SENT;
    if (errno == EAGAIN || errno == ENOBUFS) return NO_ROOM;
    __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
    return GONE;
}

/// Wakes the command; says if it is gone. If the program has closed the descriptor, the command has seen that.
static enum sent wake(void) {
    int to = __atomic_load_n(&descriptor, __ATOMIC_ACQUIRE);
    return is_ours(to) ? send_by_socket(to, "", 1) : NO_ROOM;
}

/// How often it is asked whether the command is still there, while it takes nothing.
#define ASK_NANOSECONDS 10000000u

static enum sent find_full(void) {
    static uint64_t asked_at;
    uint64_t now = wwt_now(), before = __atomic_load_n(&asked_at, __ATOMIC_RELAXED);
    if (now - before < ASK_NANOSECONDS) return NO_ROOM;
    __atomic_store_n(&asked_at, now, __ATOMIC_RELAXED);
    return wake() == GONE ? GONE : NO_ROOM;
}

static enum sent put(wwt_shared_ring *to, const uint8_t *bytes, size_t count, bool *is_closed) {
    // Kept content of bodies leaves half of the room to the frames that meter.
    size_t most = wwt_are_contents(bytes) ? WWT_SHARED_RING_ROOM / 2 : WWT_SHARED_RING_ROOM;
    switch (wwt_shared_ring_put(to, bytes, count, most)) {
    case WWT_SHARED_PUT: return SENT;
    case WWT_SHARED_PUT_WAKE: wake(); return SENT;
    case WWT_SHARED_FULL: return find_full();
    default: *is_closed = true; return NO_ROOM;
    }
}

/// The command takes nothing more by that ring, because the program has closed its descriptor.
static void leave(const wwt_shared_ring *closed) {
    pthread_mutex_lock(&connecting);
    if (ring == closed) {
        if (is_ours(descriptor)) close(descriptor);
        __atomic_store_n(&descriptor, -1, __ATOMIC_RELEASE);
        __atomic_store_n(&ring, NULL, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&connecting);
}

void channel_closing(unsigned first, unsigned last) {
    int now = __atomic_load_n(&descriptor, __ATOMIC_RELAXED);
    if (now >= 0 && (unsigned)now >= first && (unsigned)now <= last) __atomic_store_n(&is_doubted, true, __ATOMIC_RELEASE);
}

/// Whether the program has closed the descriptor. The command notices that a little later, and then closes the ring: an
/// exchange must not begin in this one and end in the next.
static bool has_closed_ours(void) {
    return __atomic_load_n(&is_doubted, __ATOMIC_ACQUIRE) && __atomic_exchange_n(&is_doubted, false, __ATOMIC_ACQ_REL)
        && !is_ours(__atomic_load_n(&descriptor, __ATOMIC_ACQUIRE));
}

static enum sent send_message(const uint8_t *bytes, size_t count) {
    if (__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) return GONE;
    int before = errno;
    enum sent result = NO_ROOM;
    bool is_closed = true;
    while (is_closed) {
        is_closed = false;
        wwt_shared_ring *to = __atomic_load_n(&ring, __ATOMIC_ACQUIRE);
        int by = to ? -1 : connection();
        if (!to && by >= 0) to = __atomic_load_n(&ring, __ATOMIC_ACQUIRE);
        if (to && has_closed_ours()) is_closed = true;
        else if (to) result = put(to, bytes, count, &is_closed);
        else if (by >= 0) result = send_by_socket(by, bytes, count);
        else result = by == BUSY ? NO_ROOM : GONE;
        if (is_closed) leave(to);
    }
    errno = before;
    return result;
}

/// Appends a message to those that wait. False if there is no room for it either.
static bool keep(const uint8_t *bytes, size_t count, size_t most) {
    message *kept = NULL;
    pthread_mutex_lock(&queue);
    if (waiting_bytes + count <= most) kept = malloc(sizeof *kept + count);
    if (kept) {
        kept->next = NULL;
        kept->count = count;
        memcpy(kept->bytes, bytes, count);
        __atomic_store_n(waiting_end, kept, __ATOMIC_RELEASE);
        waiting_end = &kept->next;
        waiting_bytes += count;
    }
    pthread_mutex_unlock(&queue);
    return kept;
}

/// Sends the waiting messages in order. A message leaves the queue only after it was sent, so that a thread that finds
/// the queue empty cannot overtake it.
static void send_waiting(void) {
    // Nothing waits, or another thread is sending already.
    if (!__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) || pthread_mutex_trylock(&queue) != 0) return;
    while (waiting && send_message(waiting->bytes, waiting->count) != NO_ROOM) {
        message *first = waiting;
        if (!first->next) waiting_end = &waiting;
        waiting_bytes -= first->count;
        __atomic_store_n(&waiting, first->next, __ATOMIC_RELEASE);
        free(first);
    }
    pthread_mutex_unlock(&queue);
}

/// A larger message is sent in pieces that end between frames. In bytes: the socket takes no more at once.
#define MESSAGE_MAX (64u << 10)
_Static_assert(MESSAGE_MAX <= WWT_MESSAGE_MAX, "the reader takes it");

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

/// Waiting messages go first, because a transfer's messages must arrive in order.
static bool send_or_keep(const uint8_t *bytes, size_t count, size_t most) {
    bool must_wait = __atomic_load_n(&waiting, __ATOMIC_ACQUIRE) != NULL;
    if (!must_wait && send_message(bytes, count) != NO_ROOM) return true;
    return keep(bytes, count, most);
}

/// The number of losses for which there was no memory, or no room.
static uint64_t unreported;

/// Reports that the rest of a transfer will not come, so that its beginning is not taken for the whole; `transfer` is 0
/// for transfers that are not known any more.
static void lose(uint64_t transfer, uint64_t count) {
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } loss = {{sizeof loss, WWT_LOST, transfer, wwt_now()}, {count, WWT_LOST_BUFFER_FULL, 0}};
    if (send_or_keep((const uint8_t *)&loss, sizeof loss, MOST_WAITING + ROOM_FOR_LOSSES)) return;
    __atomic_add_fetch(&unreported, count, __ATOMIC_RELAXED);
}

/// Of the transfers of lost frames, that many are remembered, so that each counts once.
#define MOST_REMEMBERED 64

/// Reports all transfers that have frames from `done` on. Frames of no transfer count once, if there are no others.
static void lose_rest(const uint8_t *frames, size_t done, size_t count) {
    uint64_t lost[MOST_REMEMBERED];
    size_t lost_count = 0;
    while (done < count) {
        wwt_frame frame;
        memcpy(&frame, frames + done, sizeof frame);
        done += frame.size;
        bool is_known = frame.transfer == 0;
        size_t most = lost_count < MOST_REMEMBERED ? lost_count : MOST_REMEMBERED;
        for (size_t i = 0; i < most && !is_known; i++) is_known = lost[i] == frame.transfer;
        if (is_known) continue;
        lost[lost_count++ % MOST_REMEMBERED] = frame.transfer;
        lose(frame.transfer, 1);
    }
    if (!lost_count) lose(0, 1);
}

static void report_losses(void) {
    if (!__atomic_load_n(&unreported, __ATOMIC_RELAXED)) return;
    uint64_t count = __atomic_exchange_n(&unreported, 0, __ATOMIC_RELAXED);
    if (count) lose(0, count);
}

static bool emit(const uint8_t *frames, size_t count, bool last) {
    send_waiting();
    report_losses();
    size_t done = 0;
    bool contents = wwt_are_contents(frames);
    while (done < count) {
        size_t piece = piece_of(frames + done, count - done);
        if (!send_or_keep(frames + done, piece, contents ? MOST_CONTENTS_WAITING : MOST_WAITING)) {
            if (contents) return false;
            // No part of it has left yet, and the caller will try again.
            if (done == 0 && !last) return false;
            lose_rest(frames, done, count);
            break;
        }
        done += piece;
    }
    return true;
}

// A thread that is cancelled would take the locks with it.

bool channel_emit(void *context, const uint8_t *frames, size_t count, bool last) {
    (void)context;
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    bool done = emit(frames, count, last);
    pthread_setcancelstate(state, NULL);
    return done;
}

void channel_hold(void) {
    if (!path[0] || __atomic_load_n(&dead, __ATOMIC_ACQUIRE)) return;
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    connection();
    pthread_setcancelstate(state, NULL);
}

void channel_announce(void) {
    int made = connect_now(NULL);
    if (made >= 0) close(made);
}

// By system calls, because the C library's functions are points where a thread may be cancelled, and our hooks of them
// look up the originals.

static bool send_apart(int apart, const void *message, size_t count) {
    return syscall(SYS_sendto, apart, message, count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0) == (long)count;
}

int channel_open_apart(const void *message, size_t count) {
    if (__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) return -1;
    int apart = (int)syscall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (apart < 0) return -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    if (syscall(SYS_connect, apart, &address, sizeof address) == 0 && send_apart(apart, message, count)) return apart;
    syscall(SYS_close, apart);
    return -1;
}

void channel_close_apart(int apart, const void *message, size_t count) {
    if (apart < 0) return;
    if (count) send_apart(apart, message, count);
    syscall(SYS_close, apart);
}

/// The number of exchanges that wait, or are known to be lost already.
static uint64_t count_waiting(void) {
    uint64_t begun = 0, ended = 0, lost = __atomic_load_n(&unreported, __ATOMIC_RELAXED);
    for (const message *each = waiting; each; each = each->next) {
        for (size_t done = 0; done < each->count;) {
            wwt_frame frame;
            memcpy(&frame, each->bytes + done, sizeof frame);
            if (frame.kind == WWT_BEGIN || frame.kind == WWT_BEGIN_STREAM) begun++;
            if (frame.kind == WWT_END) ended++;
            if (frame.kind == WWT_LOST) {
                wwt_lost_body body;
                memcpy(&body, each->bytes + done + sizeof frame, sizeof body);
                if (body.why == WWT_LOST_BUFFER_FULL) lost += body.count;
            }
            done += frame.size;
        }
    }
    // Most exchanges have both frames here. For some the first was sent already, and for some the last has not come.
    return (begun > ended ? begun : ended) + lost;
}

/// Adds the exchanges that are lost with the program to a number in a file beside the socket, which the command has
/// made. Through mapped memory, because a write could exceed the program's limit for file sizes, and end it.
static void leave_losses(void) {
    char file[sizeof path + sizeof WWT_LOSSES];
    pthread_mutex_lock(&queue);
    uint64_t count = count_waiting();
    pthread_mutex_unlock(&queue);
    if (!count) return;
    strcpy(file, path);
    strcat(file, WWT_LOSSES);
    int shared = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (shared < 0) return;
    struct stat status;
    bool has_room = fstat(shared, &status) == 0 && status.st_size == sizeof count;
    uint64_t *sum = has_room ? mmap(NULL, sizeof *sum, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0) : MAP_FAILED;
    close(shared);
    if (sum == MAP_FAILED) return;
    __atomic_add_fetch(sum, count, __ATOMIC_RELAXED);
    munmap(sum, sizeof *sum);
}

/// How long the program's end waits for a command that takes nothing.
#define PATIENCE_NANOSECONDS 5000000000u

void channel_finish(void) {
    uint64_t moved_at = wwt_now();
    for (;;) {
        size_t before = waiting_bytes;
        send_waiting();
        report_losses();
        if (!__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) || __atomic_load_n(&dead, __ATOMIC_ACQUIRE)) break;
        if (waiting_bytes < before) moved_at = wwt_now();
        if (wwt_now() - moved_at > PATIENCE_NANOSECONDS) {
            leave_losses();
            break;
        }
        // The socket can have room that is too small for a whole message. Then only waiting helps.
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
}

void channel_forked(void) {
    pthread_mutex_init(&connecting, NULL);
    pthread_mutex_init(&queue, NULL);
    // The number may belong to the program's own file by now.
    if (is_ours(descriptor)) close(descriptor);
    descriptor = -1;
    ring = NULL;
    waiting = NULL;
    waiting_end = &waiting;
    waiting_bytes = 0;
    unreported = 0; // the parent reports them
}

#endif
