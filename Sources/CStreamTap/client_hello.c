#include "client_hello.h"

#include <string.h>

enum { HANDSHAKE = 22, CLIENT_HELLO = 1, SERVER_NAME = 0, PROTOCOLS = 16 };

bool wws_begins_tls(const uint8_t *bytes, size_t count) {
    return bytes[0] == HANDSHAKE && (count < 2 || bytes[1] == 3);
}

/// Bytes that are still to be read; reading beyond them fails.
typedef struct rest {
    const uint8_t *bytes;
    size_t count;
} rest;

static bool skip(rest *rest, size_t count) {
    if (rest->count < count) return false;
    rest->bytes += count;
    rest->count -= count;
    return true;
}

static bool number(rest *rest, int size, size_t *value) {
    if (rest->count < (size_t)size) return false;
    *value = 0;
    for (int i = 0; i < size; i++) *value = *value << 8 | rest->bytes[i];
    return skip(rest, (size_t)size);
}

/// A part that begins with its own length.
static bool part(rest *from, int size, rest *part) {
    size_t length;
    if (!number(from, size, &length) || from->count < length) return false;
    *part = (rest){from->bytes, length};
    return skip(from, length);
}

static void keep_text(char *text, size_t room, rest name) {
    size_t length = name.count < room - 1 ? name.count : room - 1;
    memcpy(text, name.bytes, length);
    text[length] = 0;
}

static void read_extensions(wws_client_hello *hello, rest extensions) {
    size_t type, kind;
    rest content, list, name;
    while (number(&extensions, 2, &type) && part(&extensions, 2, &content)) {
        if (type == SERVER_NAME && part(&content, 2, &list)) {
            if (number(&list, 1, &kind) && kind == 0 && part(&list, 2, &name)) {
                keep_text(hello->server_name, sizeof hello->server_name, name);
            }
        } else if (type == PROTOCOLS && part(&content, 2, &list) && part(&list, 1, &name)) {
            keep_text(hello->protocol, sizeof hello->protocol, name);
        }
    }
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
    rest all = {hello->bytes + 1, hello->count - 1}, message, ignored, extensions;
    size_t length = (size_t)all.bytes[0] << 16 | (size_t)all.bytes[1] << 8 | all.bytes[2];
    if (length > sizeof hello->bytes - 4) hello->is_over = true;
    if (!part(&all, 3, &message)) return;
    hello->is_over = true;
    if (!skip(&message, 34) || !part(&message, 1, &ignored) || !part(&message, 2, &ignored)) return;
    if (part(&message, 1, &ignored) && part(&message, 2, &extensions)) read_extensions(hello, extensions);
}

void wws_client_hello_add(wws_client_hello *hello, const uint8_t *bytes, size_t count) {
    while (count && !hello->is_over) {
        if (hello->record_left == 0) {
            hello->record[hello->record_count++] = *bytes++;
            count--;
            if (hello->record_count < sizeof hello->record) continue;
            hello->record_count = 0;
            hello->record_left = (size_t)hello->record[3] << 8 | hello->record[4];
            if (hello->record[0] != HANDSHAKE || hello->record_left == 0) hello->is_over = true;
            continue;
        }
        size_t taken = count < hello->record_left ? count : hello->record_left;
        size_t room = sizeof hello->bytes - hello->count;
        if (taken > room) taken = room;
        memcpy(hello->bytes + hello->count, bytes, taken);
        hello->count += taken;
        hello->record_left -= taken;
        bytes += taken;
        count -= taken;
        read_message(hello);
        if (hello->count == sizeof hello->bytes) hello->is_over = true;
    }
}
