// The messages of DNS in connections of TCP: each comes after two bytes that are its length (RFC 1035, section 4.2.2).
#include "connection_parts.h"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "CStreamTap.h"

enum { LENGTH_SIZE = 2 };

/// What has come of a message.
typedef struct partial {
    uint32_t have, size; // with its length
    uint8_t length[LENGTH_SIZE];
    uint8_t *bytes; // as many as are sent along
} partial;

struct wws_dns_stream {
    partial sent, received;
};

static uint32_t kept_of(const partial *message) {
    uint32_t content = message->size - LENGTH_SIZE;
    return content < WWT_MOST_DNS ? content : WWT_MOST_DNS;
}

/// Takes the next bytes, of which it needs at least one; returns how many. Negative if there is no memory.
static ssize_t take(partial *message, const uint8_t *bytes, size_t count) {
    if (message->have < LENGTH_SIZE) {
        message->length[message->have++] = *bytes;
        if (message->have < LENGTH_SIZE) return 1;
        message->size = LENGTH_SIZE + ((uint32_t)message->length[0] << 8 | message->length[1]);
        if (message->size == LENGTH_SIZE) return 1;
        return (message->bytes = malloc(kept_of(message))) ? 1 : -1;
    }
    uint32_t left = message->size - message->have, taken = count < left ? (uint32_t)count : left;
    uint32_t at = message->have - LENGTH_SIZE, most = kept_of(message);
    if (at < most) memcpy(message->bytes + at, bytes, taken < most - at ? taken : most - at);
    message->have += taken;
    return taken;
}

void wws_add_dns(wws_connection *connection, bool is_sent, const uint8_t *bytes, size_t count) {
    if (!connection->dns && !(connection->dns = calloc(1, sizeof *connection->dns))) connection->is_asking = false;
    if (!connection->is_asking) return;
    partial *message = is_sent ? &connection->dns->sent : &connection->dns->received;
    while (count) {
        ssize_t taken = take(message, bytes, count);
        if (taken < 0) {
            connection->is_asking = false; // where the next message begins is not known any more
            return;
        }
        bytes += taken;
        count -= (size_t)taken;
        if (message->have < LENGTH_SIZE || message->have < message->size) continue;
        struct iovec piece = {message->bytes, kept_of(message)};
        wws_report_dns(connection, is_sent ? WWT_DNS_SENT : WWT_DNS_RECEIVED, message->size, &piece, 1);
        free(message->bytes);
        *message = (partial){0};
    }
}

void wws_free_dns(wws_connection *connection) {
    if (!connection->dns) return;
    free(connection->dns->sent.bytes);
    free(connection->dns->received.bytes);
    free(connection->dns);
    connection->dns = NULL;
}

#endif
