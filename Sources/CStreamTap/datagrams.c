// The datagrams of sockets of UDP by which the program asks resolvers itself. They are sent to the reader as they are,
// which finds the lookups in them.
#include "connection_parts.h"

#ifdef __linux__
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "CStreamTap.h"
#include "clock.h"
#include "frame_buffer.h"
#include "name_lookups.h"

enum { DNS_PORT = 53 };

bool wws_is_resolver(const struct sockaddr *address) {
    // The port is in the same place of both families.
    return ((const struct sockaddr_in *)address)->sin_port == htons(DNS_PORT);
}

void wws_set_resolver(wws_connection *connection, const struct sockaddr *address) {
    connection->is_elsewhere = !wws_is_resolver(address) || !wws_read_address(address, &connection->resolver);
}

void wws_report_dns(
    const wws_connection *connection, enum wwt_dns_what what, size_t size, const struct iovec *pieces,
    size_t number) {
    wwt_dns_body body = {.socket = wws_serial_of(connection), .what = what, .size = (uint32_t)size};
    memcpy(body.resolver, &connection->resolver, sizeof body.resolver);
    size_t left = 0, room = size < WWT_MOST_DNS ? size : WWT_MOST_DNS;
    for (size_t i = 0; i < number; i++) left += pieces[i].iov_len;
    if (left > room) left = room;
    wwt_frames frames = {0};
    if (wwt_frames_begin(&frames, WWT_DNS, wwt_now(), sizeof body + left)) {
        wwt_frames_append(&frames, &body, sizeof body);
        for (size_t i = 0; i < number && left; i++) {
            size_t piece = pieces[i].iov_len < left ? pieces[i].iov_len : left;
            if (piece) wwt_frames_append(&frames, pieces[i].iov_base, piece);
            left -= piece;
        }
        wwt_frames_send(&frames, true);
    }
    free(frames.bytes);
}

void wws_report_datagram(
    wws_connection *connection, bool is_sent, const struct iovec *pieces, size_t number, ssize_t count, int error) {
    if (connection->is_elsewhere && is_sent) return;
    if (count > 0) {
        if (is_sent) connection->sent += (uint64_t)count;
        else connection->received += (uint64_t)count;
        wws_report_dns(connection, is_sent ? WWT_DNS_SENT : WWT_DNS_RECEIVED, (size_t)count, pieces, number);
    } else if (count < 0 && wws_is_refusal(error) && connection->sent) {
        wws_report_dns(connection, WWT_DNS_FAILED, (size_t)error, NULL, 0);
    }
}

void wws_dns_over(wws_connection *connection) {
    bool has_asked = connection->is_datagram ? connection->sent : connection->dns != NULL;
    if (has_asked) wws_report_dns(connection, WWT_DNS_OVER, 0, NULL, 0);
}

/// A stream does not care for the address with which it sends.
static bool is_datagram_socket(int descriptor) {
    int before = errno, type = 0;
    socklen_t size = sizeof type;
    bool is_one = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
    errno = before;
    return is_one;
}

void wws_sent_to(
    int descriptor, wws_handle handle, const struct sockaddr *address, const struct iovec *pieces, size_t number,
    ssize_t count) {
    if (!handle.connection) {
        // What the program sends elsewhere is not ours.
        if (count <= 0 || !wws_is_resolver(address) || !is_datagram_socket(descriptor)) return;
        wws_connected(descriptor, address, wws_moment(), true);
        handle = wws_handle_of(descriptor);
        if (!handle.connection) return;
        wws_sending(handle);
    } else if (handle.connection->is_datagram) {
        int before = errno;
        wws_connection *connection = wws_lock_descriptor(descriptor, handle);
        if (connection) {
            wws_set_resolver(connection, address);
            wws_unlock(connection);
        }
        errno = before;
    }
    wws_sent_vector(descriptor, handle, pieces, number, count);
}

#endif
