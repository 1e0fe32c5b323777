#include "client_hello.h"

#include "tls_bytes.h"

enum { CLIENT_HELLO = 1, SERVER_NAME = 0 };

bool wws_begins_tls(const uint8_t *bytes, size_t count) {
    return bytes[0] == WWS_HANDSHAKE && (count < 2 || bytes[1] == 3);
}

/// The whole names that have room, as they are on the wire.
static wws_rest protocols_of(wws_rest list) {
    wws_rest name, protocols = {list.bytes, 0};
    while (wws_part(&list, 1, &name) && (size_t)(list.bytes - protocols.bytes) <= UINT8_MAX) {
        protocols.count = (size_t)(list.bytes - protocols.bytes);
    }
    return protocols;
}

/// Puts in the place of the message what is kept of it.
static void keep(wws_client_hello *hello, wws_rest name, wws_rest protocols) {
    uint8_t kept[2 * UINT8_MAX];
    hello->name_size = wws_text_size(name);
    hello->protocols_size = (uint8_t)protocols.count;
    if (name.count) memcpy(kept, name.bytes, hello->name_size);
    if (protocols.count) memcpy(kept + hello->name_size, protocols.bytes, protocols.count);
    memcpy(hello->bytes, kept, (size_t)hello->name_size + hello->protocols_size);
}

static void read_extensions(wws_client_hello *hello, wws_rest extensions) {
    size_t type, kind;
    wws_rest content, list, name, server = {0}, protocols = {0};
    while (wws_number(&extensions, 2, &type) && wws_part(&extensions, 2, &content)) {
        if (type == SERVER_NAME && wws_part(&content, 2, &list)) {
            if (wws_number(&list, 1, &kind) && kind == 0 && wws_part(&list, 2, &name)) {
                server = name;
            }
        } else if (type == WWS_PROTOCOLS && wws_part(&content, 2, &list)) {
            protocols = protocols_of(list);
        }
    }
    keep(hello, server, protocols);
}

/// Reads the message once it is whole. Type, length, version and random come first.
static void read_message(wws_client_hello *hello) {
    if (hello->count < 38) return;
    if (hello->bytes[0] != CLIENT_HELLO) {
        hello->is_over = true;
        return;
    }
    memcpy(hello->random, hello->bytes + 6, sizeof hello->random);
    hello->has_random = true;
    wws_rest all = {hello->bytes + 1, hello->count - 1}, message, ignored, extensions;
    size_t length = (size_t)all.bytes[0] << 16 | (size_t)all.bytes[1] << 8 | all.bytes[2];
    if (length > sizeof hello->bytes - 4) hello->is_over = true;
    if (!wws_part(&all, 3, &message)) return;
    hello->is_over = true;
    if (!wws_skip(&message, 34) || !wws_part(&message, 1, &ignored) || !wws_part(&message, 2, &ignored)) return;
    if (wws_part(&message, 1, &ignored) && wws_part(&message, 2, &extensions)) read_extensions(hello, extensions);
}

void wws_client_hello_add(wws_client_hello *hello, const uint8_t *bytes, size_t count) {
    while (count && !hello->is_over) {
        if (hello->record_left == 0) {
            hello->record[hello->record_count++] = *bytes++;
            count--;
            if (hello->record_count < sizeof hello->record) continue;
            hello->record_count = 0;
            hello->record_left = (uint16_t)(hello->record[3] << 8 | hello->record[4]);
            if (hello->record[0] != WWS_HANDSHAKE || hello->record_left == 0) hello->is_over = true;
            continue;
        }
        size_t taken = count < hello->record_left ? count : hello->record_left;
        size_t room = sizeof hello->bytes - hello->count;
        if (taken > room) taken = room;
        memcpy(hello->bytes + hello->count, bytes, taken);
        hello->count += (uint16_t)taken;
        hello->record_left -= (uint16_t)taken;
        bytes += taken;
        count -= taken;
        read_message(hello);
        if (hello->count == sizeof hello->bytes) hello->is_over = true;
    }
}
