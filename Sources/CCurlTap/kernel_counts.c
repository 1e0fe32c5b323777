// Reads the kernel's counts of a connection.

#ifdef __linux__
#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "kernel_counts.h"

enum { ESTABLISHED = 1, FIN_WAIT1 = 4, FIN_WAIT2 = 5, TIME_WAIT = 6, CLOSE = 7, CLOSE_WAIT = 8, LAST_ACK = 9, CLOSING = 11 };

/// Whether a FIN has come, as far as the state of a connection shows.
static bool has_fin(int state) {
    return state == CLOSE_WAIT || state == LAST_ACK || state == CLOSING || state == TIME_WAIT;
}

/// False if the kernel does not report these counts.
static bool read_info(int socket, struct tcp_info *info) {
    memset(info, 0, sizeof *info);
    socklen_t size = sizeof *info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &size) == 0
        && size >= offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof info->tcpi_bytes_retrans;
}

/// Reads the kernel's counts and the number of unread bytes as of one moment; false if the kernel does not report them.
///
/// It needs several system calls, and bytes may arrive between them. No other thread reads from the socket meanwhile.
static bool read_at_once(int socket, struct tcp_info *info, int *unread) {
    int before = -1;
    uint64_t counted = UINT64_MAX;
    for (int tries = 0; tries < 8; tries++) {
        if (!read_info(socket, info)) return false;
        struct pollfd now = {.fd = socket, .events = POLLIN | POLLRDHUP};
        poll(&now, 1, 0);
        // The kernel reads the state first and then waits for its turn to read the counts. If a FIN comes in between,
        // the counts include it, but the state does not show it. The next pass has the state. After a shutdown of both
        // sides, poll() says so forever: a count that has stayed is one without a FIN.
        int state = info->tcpi_state;
        bool may_hide_fin = (now.revents & POLLRDHUP) && (state == ESTABLISHED || state == FIN_WAIT1 || state == FIN_WAIT2);
        bool hides_fin = may_hide_fin && info->tcpi_bytes_received != counted;
        counted = info->tcpi_bytes_received;
        // The caller subtracts the unread bytes from the count, so both must be of one moment. If there are unread
        // bytes, their number must be the same in two passes.
        *unread = 0;
        if (now.revents & POLLIN) ioctl(socket, FIONREAD, unread);
        if (!hides_fin && (*unread == 0 || *unread == before)) break;
        before = *unread;
    }
    return true;
}

static uint64_t sent_of(const struct tcp_info *info) { return info->tcpi_bytes_sent - info->tcpi_bytes_retrans; }

static wwt_tcp figures_of(const struct tcp_info *info) {
    return (wwt_tcp){
        .known = WWT_TCP_OPEN,
        .round_trip = info->tcpi_rtt,
        .sent = sent_of(info),
        .received = info->tcpi_bytes_received,
        .retransmitted = info->tcpi_bytes_retrans,
        .segments_sent = info->tcpi_segs_out,
        .segments_received = info->tcpi_segs_in,
    };
}

/// Takes the counts of a connection that is at rest; false, and nothing, of another one.
static bool take_at_rest(int socket, const struct tcp_info *info, uint64_t sent, uint64_t received, wwt_tcp *tcp) {
    if (info->tcpi_state != ESTABLISHED || sent_of(info) != sent || info->tcpi_bytes_received < received) return false;
    // What else has come must be what waits to be read, at this moment or a little later: a FIN, which the kernel counts as
    // one byte, and bytes that arrive meanwhile make a difference.
    uint64_t more = info->tcpi_bytes_received - received;
    int unread = 0;
    if (more && (ioctl(socket, FIONREAD, &unread) != 0 || more != (uint64_t)unread)) return false;
    *tcp = figures_of(info);
    tcp->received = received;
    return true;
}

bool wwt_read_tcp_at_rest(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp) {
    struct tcp_info info;
    return read_info(socket, &info) && take_at_rest(socket, &info, sent, received, tcp);
}

uint64_t wwt_read_queued(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp) {
    struct tcp_info info;
    *tcp = (wwt_tcp){0};
    if (!read_info(socket, &info)) {
        int waiting = 0;
        return ioctl(socket, SIOCOUTQNSD, &waiting) == 0 && waiting > 0 ? (uint64_t)waiting : 0;
    }
    take_at_rest(socket, &info, sent, received, tcp);
    return info.tcpi_notsent_bytes;
}

/// Whether a connection that was reset had received a FIN before: the socket's pending error is another one then.
///
/// Reading the error clears it, so call this only when about to close.
static bool had_fin_before_reset(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == EPIPE;
}

wwt_tcp wwt_read_tcp(int socket, bool is_closing) {
    wwt_tcp result = {0};
    struct tcp_info info;
    int unread = 0;
    if (!read_at_once(socket, &info, &unread)) return result;
    // The kernel counts a received FIN as one byte.
    bool is_over = info.tcpi_state == CLOSE;
    bool fin = has_fin(info.tcpi_state) || (is_over && is_closing && had_fin_before_reset(socket));
    uint64_t taken = info.tcpi_bytes_received;
    if (fin && taken) taken--;
    if (unread > 0) taken = taken > (uint64_t)unread ? taken - (uint64_t)unread : 0;
    result = figures_of(&info);
    result.known = fin && is_over ? WWT_TCP_GONE : fin ? WWT_TCP_ENDED : is_over ? WWT_TCP_OVER : WWT_TCP_OPEN;
    result.received = taken;
    // On close the kernel still sends queued bytes, unless there are unread ones: then it resets the connection. After a
    // shutdown, the FIN is queued after them and counts as one.
    uint32_t queued = info.tcpi_notsent_bytes;
    bool is_open = info.tcpi_state == ESTABLISHED || info.tcpi_state == CLOSE_WAIT;
    bool is_shut = info.tcpi_state == FIN_WAIT1 || info.tcpi_state == LAST_ACK;
    if (is_closing && unread == 0 && is_open) result.sent += queued;
    if (is_closing && unread == 0 && is_shut && queued) result.sent += queued - 1;
    return result;
}

#endif
