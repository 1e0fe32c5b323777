// Counts the bytes of a connection before its first message and before TLS: a SOCKS handshake, the line or the binary
// header of the PROXY protocol. It sees what is sent and received on a socket, and looks only until something else starts.

#ifdef __linux__
#include <string.h>

#include "proxy_handshake.h"

/// Descriptors from this number on are not looked at; the bytes that they carry before the first message stay unnamed.
#define SOCKETS 16384

enum { NOT_WATCHED = 0, FRESH, IN_LINE, IN_BINARY, IN_SOCKS };

/// A socket belongs to one thread at a time, as libcurl's connections do. A descriptor that is used again may belong to another
/// thread: `state` is written last and read first, so that this thread sees what the earlier one wrote.
static wwt_prelude_reader preludes[SOCKETS];

static wwt_prelude_reader *of(int socket) { return (unsigned)socket < SOCKETS ? &preludes[socket] : NULL; }

static uint8_t state_of(const wwt_prelude_reader *of) { return __atomic_load_n(&of->state, __ATOMIC_ACQUIRE); }

static void set_state(wwt_prelude_reader *of, uint8_t state) { __atomic_store_n(&of->state, state, __ATOMIC_RELEASE); }

void wwt_prelude_start(wwt_prelude_reader *reader) {
    (void)state_of(reader);
    reader->counts = (wwt_prelude){0};
    set_state(reader, FRESH);
}

/// How many of these bytes are the binary header's: twelve that begin it, version, kind, and the length of the rest.
static size_t add_binary(wwt_prelude_reader *reader, const uint8_t *bytes, size_t count) {
    enum { LENGTH_AT = 14, FIXED = 16 };
    size_t taken = 0;
    while (taken < count && reader->at < FIXED) {
        if (reader->at >= LENGTH_AT) reader->left = (uint16_t)(reader->left << 8 | bytes[taken]);
        reader->at++;
        taken++;
    }
    if (reader->at < FIXED) return taken;
    size_t rest = count - taken < reader->left ? count - taken : reader->left;
    reader->left -= (uint16_t)rest;
    return taken + rest;
}

size_t wwt_prelude_add_sent(wwt_prelude_reader *found, const void *bytes, size_t count) {
    uint8_t state = state_of(found);
    if (state == NOT_WATCHED || !count) return 0;
    uint8_t first = *(const uint8_t *)bytes;
    // https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt, sections 2.1 and 2.2
    static const uint8_t signature[] = {0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};
    if (state == FRESH && count >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0) {
        state = IN_BINARY;
        found->at = 0;
        found->left = 0;
    }
    if (state == IN_BINARY) {
        size_t length = add_binary(found, bytes, count);
        found->counts.proxy_line += (uint32_t)length;
        bool is_over = found->at == 16 && !found->left;
        set_state(found, !is_over ? IN_BINARY : length == count ? FRESH : NOT_WATCHED);
        return length;
    }
    if (state == FRESH && count >= 6 && memcmp(bytes, "PROXY ", 6) == 0) state = IN_LINE;
    if (state == IN_LINE) {
        const uint8_t *end = memchr(bytes, '\n', count);
        size_t length = end ? (size_t)(end - (const uint8_t *)bytes) + 1 : count;
        found->counts.proxy_line += (uint32_t)length;
        // Messages or TLS may follow in the same piece.
        set_state(found, !end ? IN_LINE : length == count ? FRESH : NOT_WATCHED);
        return length;
    }
    // SOCKS 5 (RFC 1928, section 3) and SOCKS 4 start with their version. Later messages of SOCKS 5 start with 1 or 5
    // (RFC 1929, section 2; RFC 1961, section 3). A request starts with a letter, and TLS with 22.
    bool is_socks = state == IN_SOCKS ? first == 1 || first == 4 || first == 5 : first == 4 || first == 5;
    if (!is_socks) {
        found->counts.begins_tls = first == 22; // a handshake (RFC 8446, section 5.1)
        set_state(found, NOT_WATCHED);
        return 0;
    }
    found->counts.socks_sent += (uint32_t)count;
    set_state(found, IN_SOCKS);
    return count;
}

size_t wwt_prelude_add_received(wwt_prelude_reader *found, size_t count) {
    uint8_t state = state_of(found);
    if (state == IN_SOCKS) {
        found->counts.socks_received += (uint32_t)count;
        return count;
    }
    // The server speaks first.
    if (state != NOT_WATCHED) set_state(found, NOT_WATCHED);
    return 0;
}

void wwt_prelude_begin(int socket) {
    wwt_prelude_reader *found = of(socket);
    if (found) wwt_prelude_start(found);
}

bool wwt_prelude_sent(int socket, const void *bytes, size_t count) {
    wwt_prelude_reader *found = of(socket);
    if (!found || state_of(found) == NOT_WATCHED) return false;
    wwt_prelude_add_sent(found, bytes, count);
    return state_of(found) == NOT_WATCHED && found->counts.begins_tls;
}

void wwt_prelude_received(int socket, size_t count) {
    wwt_prelude_reader *found = of(socket);
    if (found) wwt_prelude_add_received(found, count);
}

wwt_prelude wwt_prelude_of(int socket) {
    const wwt_prelude_reader *found = of(socket);
    if (!found) return (wwt_prelude){0};
    (void)state_of(found);
    return found->counts;
}

#endif
