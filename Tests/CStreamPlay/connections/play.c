#include "play.h"

#ifdef __linux__
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "CStreamPlay.h"
#include "CStreamTap.h"
#include "connection.h"
#include "dependencies.h"
#include "kernel_counts.h"
#include "name_lookups.h"
#include "socket_ends.h"

enum { DESCRIPTOR = 100 };

struct csc_session {
    struct csc_session *next;
    uint8_t random[32];
    bool is_server;
};

struct csc_play {
    bool is_server;
    bool refuses_tls;
    uint64_t inode, sent, received, asked;
    csc_session *sessions;
    uint8_t *frames;
    size_t count;
};

/// The tap's tables are the process's, so plays take turns.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static csc_play *playing;
static uint64_t clock_now = 1000, inodes;

// MARK: the kernel

int csc_fstat(int descriptor, struct stat *status) {
    memset(status, 0, sizeof *status);
    if (descriptor != DESCRIPTOR) return -1;
    playing->asked++;
    status->st_ino = playing->inode;
    return 0;
}

int csc_getsockopt(int descriptor, int level, int name, void *value, socklen_t *size) {
    if (descriptor != DESCRIPTOR || level != SOL_SOCKET || *size != sizeof(int)) return -1;
    if (name != SO_TYPE && name != SO_DOMAIN) return -1;
    *(int *)value = name == SO_TYPE ? SOCK_STREAM : AF_INET;
    return 0;
}

bool csc_read_ends_of(int socket, struct sockaddr_storage *local, struct sockaddr_storage *remote) {
    if (socket != DESCRIPTOR) return false;
    struct sockaddr_in client = {.sin_family = AF_INET, .sin_port = htons(5000), .sin_addr.s_addr = htonl(0x7F000001)};
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(3128), .sin_addr.s_addr = htonl(0x0A000001)};
    memcpy(playing->is_server ? remote : local, &client, sizeof client);
    memcpy(playing->is_server ? local : remote, &server, sizeof server);
    return true;
}

wwt_tcp csc_read_tcp(int socket, bool is_closing) {
    (void)socket;
    (void)is_closing;
    return (wwt_tcp){.known = WWT_TCP_OPEN, .sent = playing->sent, .received = playing->received};
}

bool csc_read_tcp_at_rest(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp) {
    (void)sent;
    (void)received;
    *tcp = csc_read_tcp(socket, false);
    return true;
}

/// Nothing waits.
uint64_t csc_read_queued(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp) {
    csc_read_tcp_at_rest(socket, sent, received, tcp);
    return 0;
}

// MARK: the rest of the tap

bool csc_has_ring;
void csc_find_all(void) {}
void csc_watch_forks(void) {}
uint64_t csc_now(void) { return clock_now += 1000; }
uint32_t csc_output_generation(void) { return 1; }
bool csc_output_enter(uint32_t begun) { return begun == 1; }
void csc_output_leave(void) {}
bool csc_output_skips_digests(void) { return false; }

bool csc_output_emit(const void *frames, size_t count, bool last) {
    (void)last;
    if (playing->refuses_tls && ((const wwt_frame *)frames)->kind == WWT_TLS_BYTES) return false;
    playing->frames = realloc(playing->frames, playing->count + count);
    memcpy(playing->frames + playing->count, frames, count);
    playing->count += count;
    return true;
}

uint64_t csc_lookup_take(const struct sockaddr *peer) {
    (void)peer;
    return 0;
}

bool csc_lookup_use(uint64_t number, uint64_t *took) {
    (void)number;
    (void)took;
    return false;
}

// MARK: the TLS library

static size_t get_client_random(const void *session, unsigned char *bytes, size_t count) {
    if (count >= 32) memcpy(bytes, ((const csc_session *)session)->random, 32);
    return 32;
}

static int is_server(const void *session) { return ((const csc_session *)session)->is_server; }

static const char *get_version(const void *session) {
    (void)session;
    return "TLSv1.3";
}

static const wwt_tls_words words = {.SSL_get_version = get_version};
static const wws_tls_library library = {
    .words = &words, .SSL_get_client_random = get_client_random, .SSL_is_server = is_server,
};

csc_session *csc_add_session(csc_play *play, const uint8_t *random) {
    csc_session *session = calloc(1, sizeof *session);
    session->is_server = play->is_server;
    memcpy(session->random, random, sizeof session->random);
    session->next = play->sessions;
    return play->sessions = session;
}

void csc_shake_hands(csc_session *session, bool is_done) { wws_tls_handshake(&library, session, is_done); }

/// In memory that ends with them.
static uint8_t *copy_of(const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    return copy;
}

void csc_pass_plain(csc_session *session, bool is_down, const uint8_t *bytes, size_t count) {
    uint8_t *copy = copy_of(bytes, count);
    if (is_down != session->is_server) wws_tls_received(&library, session, copy, (ssize_t)count);
    else wws_tls_sent(&library, session, copy, (ssize_t)count);
    free(copy);
}

// MARK: the connection

csc_play *csc_begin(bool is_server) {
    pthread_mutex_lock(&turn);
    if (!wws_is_on()) wws_start();
    csc_play *play = playing = calloc(1, sizeof *play);
    play->is_server = is_server;
    play->inode = ++inodes;
    struct sockaddr_storage own, peer;
    csc_read_ends_of(DESCRIPTOR, &own, &peer);
    if (is_server) wws_accepted(DESCRIPTOR);
    else wws_connected(DESCRIPTOR, (const struct sockaddr *)&peer, csc_now(), true);
    return play;
}

void csc_pass_tls(csc_play *play) {
    (void)play;
    wws_pass_records(true);
}

void csc_refuse_tls(csc_play *play) { play->refuses_tls = true; }

void csc_pass(csc_play *play, bool is_down, const uint8_t *bytes, size_t count) {
    uint8_t *copy = copy_of(bytes, count);
    wws_handle handle = wws_handle_of(DESCRIPTOR);
    if (is_down != play->is_server) {
        play->received += count;
        wws_received(DESCRIPTOR, handle, copy, (ssize_t)count);
    } else {
        wws_sending(handle);
        play->sent += count;
        wws_sent(DESCRIPTOR, handle, copy, (ssize_t)count);
    }
    free(copy);
}

void csc_reuse(csc_play *play) { play->inode = ++inodes; }

uint64_t csc_asked(const csc_play *play) { return play->asked; }

bool csc_has_connection(const csc_play *play) {
    (void)play;
    return wws_handle_of(DESCRIPTOR).connection;
}

const uint8_t *csc_close(csc_play *play, size_t *count) {
    wws_closing(DESCRIPTOR);
    *count = play->count;
    return play->frames;
}

void csc_free(csc_play *play) {
    while (play->sessions) {
        csc_session *next = play->sessions->next;
        wws_tls_freed(play->sessions);
        free(play->sessions);
        play->sessions = next;
    }
    free(play->frames);
    free(play);
    playing = NULL;
    wws_pass_records(false);
    pthread_mutex_unlock(&turn);
}

#endif
