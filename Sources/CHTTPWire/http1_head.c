#include "http1_head.h"

#include <string.h>

// RFC 9110, section 5.6.2
static bool is_token(uint8_t byte) {
    if ((byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z')) return true;
    return byte && strchr("!#$%&'*+-.^_`|~", byte);
}

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t'; }

static uint8_t lowercase(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

// MARK: values of fields

static void end_length(ww_http1_side *side) {
    if (side->length_flags & BAD_ELEMENT) {
        side->length_flags |= BAD_LENGTH;
    } else if (side->length_flags & HAS_DIGITS) {
        if (side->length_flags & HAS_LENGTH && side->length != side->element) side->length_flags |= BAD_LENGTH;
        side->length = side->element;
        side->length_flags |= HAS_LENGTH;
    }
    side->length_flags &= HAS_LENGTH | BAD_LENGTH;
    side->element = 0;
}

// RFC 9110, section 8.6; several equal values are one (RFC 9112, section 6.3).
static void length_byte(ww_http1_side *side, uint8_t byte) {
    if (byte == ',') {
        end_length(side);
    } else if (is_space(byte) || byte == '\r') {
        if (side->length_flags & HAS_DIGITS) side->length_flags |= AFTER_DIGITS;
    } else if (byte < '0' || byte > '9' || side->length_flags & AFTER_DIGITS || side->element > (INT64_MAX - 9) / 10) {
        side->length_flags |= BAD_ELEMENT;
    } else {
        side->element = side->element * 10 + (byte - '0');
        side->length_flags |= HAS_DIGITS;
    }
}

static void end_coding(ww_http1_side *side) {
    uint8_t flags = side->coding_flags;
    side->coding_flags &= HAS_CODING | ENDS_CHUNKED;
    if (side->word_count || flags & IN_PARAMETER) {
        bool is_chunked = side->word_count == 7 && !memcmp(side->word, "chunked", 7) && !(flags & OTHER_NAME);
        side->coding_flags = HAS_CODING | (is_chunked ? ENDS_CHUNKED : 0);
    }
    side->word_count = 0;
}

// RFC 9112, section 6.1: only the name of the last coding counts; its parameters do not matter.
static void coding_byte(ww_http1_side *side, uint8_t byte) {
    if (byte == ',') {
        end_coding(side);
    } else if (byte == ';') {
        side->coding_flags |= IN_PARAMETER;
    } else if (side->coding_flags & IN_PARAMETER) {
        return;
    } else if (is_space(byte) || byte == '\r') {
        if (side->word_count) side->coding_flags |= AFTER_NAME;
    } else if (side->coding_flags & AFTER_NAME || side->word_count == 8) {
        side->coding_flags |= OTHER_NAME;
    } else {
        side->word[side->word_count++] = lowercase(byte);
    }
}

// RFC 9110, section 7.8: reads the first protocol that is named.
static void upgrade_byte(ww_http1_side *side, uint8_t byte) {
    if (side->upgrade_done) return;
    if (byte == ',' || is_space(byte) || byte == '\r') {
        side->upgrade_done = side->upgrade_count > 0;
    } else if (side->upgrade_count < WW_HTTP1_MOST_TOKEN - 1) {
        side->upgrade[side->upgrade_count++] = (char)byte;
    }
}

static void value_byte(ww_http1_side *side, uint8_t byte) {
    switch (side->field) {
    case CONTENT_LENGTH: length_byte(side, byte); return;
    case TRANSFER_ENCODING: coding_byte(side, byte); return;
    case UPGRADE: upgrade_byte(side, byte); return;
    default: return;
    }
}

// A value ends when the next line does not continue it (RFC 9112, section 5.2).
static void end_field(ww_http1_side *side) {
    if (side->field == CONTENT_LENGTH) end_length(side);
    if (side->field == TRANSFER_ENCODING) end_coding(side);
    if (side->field == UPGRADE) side->upgrade_done = side->upgrade_count > 0;
    if (side->field == EXPECT) side->expects = 1;
    side->field = NO_FIELD;
}

/// The names of fields that matter here, at their numbers.
static const char *const names[] = {
    [CONTENT_LENGTH] = "content-length",
    [TRANSFER_ENCODING] = "transfer-encoding",
    [UPGRADE] = "upgrade",
    [EXPECT] = "expect",
};

static uint8_t field_named(const uint8_t *name, size_t count) {
    for (uint8_t field = CONTENT_LENGTH; field <= EXPECT; field++) {
        if (count == strlen(names[field]) && !memcmp(name, names[field], count)) return field;
    }
    return NO_FIELD;
}

/// Whether a line, with its end, starts with the name of such a field.
static bool may_matter(const uint8_t *line) {
    for (uint8_t field = CONTENT_LENGTH; field <= EXPECT; field++) {
        const char *name = names[field];
        for (const uint8_t *at = line; *name == lowercase(*at); at++) {
            if (!*++name) return true;
        }
    }
    return false;
}

// MARK: header sections

void ww_http1_begin_head(ww_http1_side *side, uint8_t phase) {
    side->state = LINE;
    side->phase = phase;
    side->head_count = side->line_count = 0;
    side->status = 0;
    side->word_count = side->after_cr = side->has_field = side->field = 0;
    side->length = side->element = side->tail = 0;
    side->length_flags = side->coding_flags = 0;
    side->before_tail = side->target_first = 0;
    side->upgrade_count = side->upgrade_done = side->expects = 0;
    memset(side->upgrade, 0, sizeof side->upgrade);
    memset(&side->chunks, 0, sizeof side->chunks);
}

static void next_line(ww_http1_side *side) {
    side->state = FIELD_START;
    side->line_count = 0;
    side->after_cr = 0;
}

// RFC 9112, section 3: method SP target SP HTTP/1.x
static enum result request_line_byte(ww_http1_connection *connection, ww_http1_side *side, uint8_t byte) {
    if (side->phase == METHOD) {
        if (byte == ' ' && side->word_count) {
            side->phase = TARGET;
            uint8_t method = ANY_METHOD;
            if (side->word_count == 4 && !memcmp(side->word, "HEAD", 4)) method = HEAD_METHOD;
            if (side->word_count == 7 && !memcmp(side->word, "CONNECT", 7)) method = CONNECT_METHOD;
            if (side->word_count == 3 && !memcmp(side->word, "GET", 3)) method = SIMPLE_GET; // until its version is read
            connection->newest = method;
            return GOES_ON;
        }
        if (!is_token(byte) || side->word_count == WW_HTTP1_MOST_METHOD) return BREAKS;
        if (side->word_count < sizeof side->word) side->word[side->word_count] = byte;
        side->word_count++;
        return GOES_ON;
    }
    if (byte == '\n') {
        static const uint64_t version = 0x485454502F312E00; // "HTTP/1."
        uint8_t digit = (uint8_t)side->tail;
        bool is_versioned =
            (side->tail & ~(uint64_t)0xFF) == version && digit >= '0' && digit <= '9' && side->before_tail == ' ';
        if (is_versioned) {
            if (connection->newest == SIMPLE_GET) connection->newest = ANY_METHOD;
            next_line(side);
            return GOES_ON;
        }
        // RFC 1945, section 5: a request of HTTP/0.9 is GET SP target, and nothing more.
        bool is_simple = side->target_first == '/' || side->target_first == 'h';
        return connection->newest == SIMPLE_GET && is_simple ? ENDS_SIMPLE : BREAKS;
    }
    if (side->after_cr || byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\r')) return BREAKS;
    if (byte == '\r') {
        side->after_cr = 1;
        return GOES_ON;
    }
    if (!side->target_first) side->target_first = byte;
    side->before_tail = (uint8_t)(side->tail >> 56);
    side->tail = side->tail << 8 | byte;
    return GOES_ON;
}

// RFC 9112, section 4: HTTP/1.x SP status SP reason; the parts at its end may be missing.
static enum result status_line_byte(ww_http1_side *side, uint8_t byte) {
    if (byte == '\n') {
        next_line(side);
        return GOES_ON;
    }
    switch (side->phase) {
    case VERSION:
        if (byte == ' ') side->phase = SPACES;
        return GOES_ON;
    case SPACES:
        if (byte == ' ') return GOES_ON;
        side->phase = DIGITS;
    // fall through: this may be the first digit
    case DIGITS:
        if (byte >= '0' && byte <= '9') {
            side->status = (uint16_t)(side->status * 10 + (byte - '0'));
            if (side->status < 1000) return GOES_ON;
            side->status = 0;
        }
        if (!is_space(byte) && byte != '\r') side->status = 0; // a word that is not a status
        side->phase = REASON;
        return GOES_ON;
    default: return GOES_ON;
    }
}

static enum result field_byte(ww_http1_side *side, uint8_t byte) {
    switch (side->state) {
    case FIELD_START:
        if (byte == '\n') {
            end_field(side);
            return ENDS_HEAD;
        }
        if (byte == '\r' && !side->after_cr) {
            side->after_cr = 1;
            return GOES_ON;
        }
        if (is_space(byte) && side->has_field && !side->after_cr) {
            side->state = FIELD_VALUE;
            value_byte(side, byte);
            return GOES_ON;
        }
        end_field(side);
        side->has_field = 1;
        side->word_count = 0;
        side->state = side->after_cr ? FIELD_REST : FIELD_NAME;
        side->after_cr = 0; // from here on it means: a space has followed the name
        if (side->state == FIELD_REST || is_space(byte)) return GOES_ON;
        // Most names do not matter here; their bytes skip the steps below.
        if (byte != '\n' && !strchr("cCeEtTuU", byte)) {
            side->state = FIELD_REST;
            return GOES_ON;
        }
    // fall through: this is the first byte of a name
    case FIELD_NAME:
        if (byte == '\n') {
            next_line(side);
        } else if (byte == ':') {
            side->field = field_named(side->word, side->word_count);
            side->word_count = 0;
            side->state = side->field ? FIELD_VALUE : FIELD_REST;
        } else if (is_space(byte)) {
            side->after_cr = side->word_count > 0;
        } else if (side->word_count == sizeof side->word || side->after_cr) {
            side->state = FIELD_REST;
        } else {
            side->word[side->word_count++] = lowercase(byte);
        }
        return GOES_ON;
    case FIELD_VALUE:
        if (byte == '\n') next_line(side);
        else value_byte(side, byte);
        return GOES_ON;
    default:
        if (byte == '\n') next_line(side);
        return GOES_ON;
    }
}

/// Takes what is left of a part that ends with its line and matters no further, and returns the number of bytes.
static size_t skip_rest(const ww_http1_side *side, const uint8_t *bytes, size_t room) {
    if (side->state != FIELD_REST && (side->state != LINE || side->phase != REASON)) return 0;
    const uint8_t *end = memchr(bytes, '\n', room);
    return end ? (size_t)(end - bytes) : room;
}

/// Takes the lines of fields that do not matter, as far as they are whole, and returns the number of bytes.
static size_t skip_lines(ww_http1_side *side, const uint8_t *bytes, size_t room) {
    if (side->state != FIELD_START || side->after_cr) return 0;
    size_t at = 0;
    while (at < room && bytes[at] != '\r' && bytes[at] != '\n' && !is_space(bytes[at])) {
        const uint8_t *end = memchr(bytes + at, '\n', room - at < WW_HTTP1_MOST_LINE ? room - at : WW_HTTP1_MOST_LINE);
        if (!end || may_matter(bytes + at)) break;
        at = (size_t)(end - bytes) + 1;
    }
    if (at) {
        end_field(side);
        side->has_field = 1;
    }
    return at;
}

/// Takes bytes of a request's target and version, up to one that may end them, and returns their number.
static size_t take_target(ww_http1_side *side, const uint8_t *bytes, size_t room) {
    if (side->state != LINE || side->phase != TARGET || side->after_cr) return 0;
    size_t at = 0;
    for (; at < room && bytes[at] >= 0x20 && bytes[at] != 0x7F; at++) {
        side->before_tail = (uint8_t)(side->tail >> 56);
        side->tail = side->tail << 8 | bytes[at];
    }
    if (at && !side->target_first) side->target_first = bytes[0];
    return at;
}

size_t ww_http1_head_bytes(
    ww_http1_connection *connection, ww_http1_side *side, const uint8_t *bytes, size_t count, enum result *result) {
    size_t at = 0;
    *result = GOES_ON;
    while (at < count && *result == GOES_ON) {
        size_t room = WW_HTTP1_MOST_HEAD - side->head_count;
        if (room > count - at) room = count - at;
        // Most bytes of most header sections are taken here.
        size_t run = skip_lines(side, bytes + at, room);
        if (run) {
            side->head_count += (uint32_t)run;
            at += run;
            continue;
        }
        if (room > WW_HTTP1_MOST_LINE - side->line_count) room = WW_HTTP1_MOST_LINE - side->line_count;
        // A line end may use the last byte of the limit.
        if (!room) {
            *result = BREAKS;
            return at;
        }
        run = skip_rest(side, bytes + at, room);
        if (!run) run = take_target(side, bytes + at, room);
        side->head_count += (uint32_t)(run ? run : 1);
        side->line_count += (uint32_t)(run ? run : 1);
        at += run;
        if (run) continue;
        uint8_t byte = bytes[at++];
        if (side->state != LINE) *result = field_byte(side, byte);
        else if (side == &connection->request) *result = request_line_byte(connection, side, byte);
        else *result = status_line_byte(side, byte);
    }
    return at;
}
