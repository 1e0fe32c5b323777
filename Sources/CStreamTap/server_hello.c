#include "server_hello.h"

#include "tap_frames.h"
#include "tls_bytes.h"

enum { SERVER_HELLO = 2, SESSION_TICKET = 4, CERTIFICATE = 11, STATUS = 22, SUPPLEMENTAL_DATA = 23 }; // of messages
enum { KEY_EXCHANGE = 12, CERTIFICATE_REQUEST = 13, HELLO_DONE = 14 };
enum { PRE_SHARED_KEY = 41, VERSIONS = 43 }; // of extensions
enum { TLS_1_3 = 0x0304, MOST_RECORD = (1 << 14) + 2048 };

/// The random of a HelloRetryRequest (RFC 8446, section 4.1.3), after which another ServerHello comes.
static const uint8_t retry[32] = {
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
    0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
};

/// Reads a ServerHello; whether it is one.
static bool read_hello(wws_server_hello *hello, wws_rest message) {
    size_t version, cipher, type, chosen;
    wws_rest session, extensions, content, list, name, protocol = {0};
    if (!wws_number(&message, 2, &version) || message.count < sizeof retry) return false;
    bool is_retry = memcmp(message.bytes, retry, sizeof retry) == 0;
    wws_skip(&message, sizeof retry);
    if (!wws_part(&message, 1, &session) || !wws_number(&message, 2, &cipher) || !wws_skip(&message, 1)) return false;
    if (is_retry) {
        // A second one is against the rules.
        if (hello->has_retried) return false;
        hello->has_retried = true;
        return true;
    }
    bool has_key = false;
    if (wws_part(&message, 2, &extensions)) {
        while (wws_number(&extensions, 2, &type) && wws_part(&extensions, 2, &content)) {
            if (type == VERSIONS && content.count == 2 && wws_number(&content, 2, &chosen)) {
                version = chosen;
            } else if (type == PRE_SHARED_KEY) {
                has_key = true;
            } else if (type == WWS_PROTOCOLS && wws_part(&content, 2, &list) && wws_part(&list, 1, &name)) {
                protocol = name;
            }
        }
    }
    hello->version = (uint16_t)version;
    hello->cipher = (uint16_t)cipher;
    hello->has_hello = true;
    hello->protocol_size = wws_text_size(protocol);
    if (hello->protocol_size) memmove(hello->bytes, protocol.bytes, hello->protocol_size);
    if (version < TLS_1_3) return true;
    // All that follows is encrypted.
    hello->resumption = has_key ? WWT_RESUMED : WWT_NEW_SESSION;
    hello->is_over = true;
    return true;
}

/// The message that is being read.
static uint8_t *message_of(wws_server_hello *hello) { return hello->bytes + hello->protocol_size; }

/// Keeps the first certificate of the list, which is the server's own.
static void read_certificates(wws_server_hello *hello, size_t length) {
    hello->chain_size = (uint32_t)(length + 4);
    size_t kept = length < WWS_MOST_ANSWER - 4 ? length : WWS_MOST_ANSWER - 4, all;
    wws_rest message = {message_of(hello) + 4, kept}, own;
    if (!wws_number(&message, 3, &all) || !wws_part(&message, 3, &own)) return;
    hello->certificate_size = (uint16_t)own.count;
    memmove(message_of(hello), own.bytes, own.count);
}

/// Reads a message that has come whole.
static void read_message(wws_server_hello *hello, size_t length) {
    int type = message_of(hello)[0];
    if (!hello->has_hello) {
        bool is_kept = type == SERVER_HELLO && length <= WWS_MOST_ANSWER - 4;
        if (!is_kept || !read_hello(hello, (wws_rest){hello->bytes + 4, length})) hello->is_over = true;
        return;
    }
    switch (type) {
    // Before the session is known to be new or not.
    case 0:
    case SESSION_TICKET:
    case SUPPLEMENTAL_DATA: return;
    case CERTIFICATE: read_certificates(hello, length); break;
    case STATUS:
    case KEY_EXCHANGE:
    case CERTIFICATE_REQUEST:
    case HELLO_DONE: break;
    default: hello->is_over = true; return;
    }
    // Where a session goes on, none of these comes (RFC 5246, section 7.3).
    hello->resumption = WWT_NEW_SESSION;
    hello->is_over = true;
}

static void begin_record(wws_server_hello *hello) {
    hello->record_count = 0;
    hello->record_left = (uint16_t)(hello->record[3] << 8 | hello->record[4]);
    int type = hello->record[0];
    if (hello->record[1] != 3 || hello->record_left == 0 || hello->record_left > MOST_RECORD) {
        hello->is_over = true;
    } else if (type == WWS_CHANGE_CIPHER_SPEC) {
        // After a HelloRetryRequest it means nothing (RFC 8446, appendix D.4).
        if (hello->has_hello && hello->message_count == 0) hello->resumption = WWT_RESUMED;
        if (!hello->has_retried || hello->has_hello || hello->message_count) hello->is_over = true;
    } else if (type != WWS_HANDSHAKE) {
        hello->is_over = true;
    }
}

static size_t message_length(const uint8_t *message) {
    return (size_t)message[1] << 16 | (size_t)message[2] << 8 | message[3];
}

/// Takes bytes of the current record up to the end of a message.
static size_t add_to_message(wws_server_hello *hello, const uint8_t *bytes, size_t count) {
    enum { HEADER = 4 };
    uint8_t *message = message_of(hello);
    size_t before = hello->message_count, length = 0;
    if (before < HEADER) {
        if (count > HEADER - before) count = HEADER - before;
    } else {
        length = message_length(message);
        if (count > HEADER + length - before) count = HEADER + length - before;
    }
    if (before < WWS_MOST_ANSWER) {
        size_t room = WWS_MOST_ANSWER - before;
        memcpy(message + before, bytes, count < room ? count : room);
    }
    hello->message_count += (uint32_t)count;
    if (hello->message_count < HEADER) return count;
    length = message_length(message);
    if (hello->message_count < HEADER + length) return count;
    hello->message_count = 0;
    read_message(hello, length);
    return count;
}

void wws_server_hello_add(wws_server_hello *hello, const uint8_t *bytes, size_t count) {
    while (count && !hello->is_over) {
        size_t taken = 1;
        if (hello->record_left == 0) {
            hello->record[hello->record_count++] = *bytes;
            if (hello->record_count == sizeof hello->record) begin_record(hello);
        } else {
            taken = count < hello->record_left ? count : hello->record_left;
            if (hello->record[0] == WWS_HANDSHAKE) taken = add_to_message(hello, bytes, taken);
            hello->record_left -= (uint16_t)taken;
        }
        bytes += taken;
        count -= taken;
    }
}
