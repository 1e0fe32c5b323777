#include "http1_head.h"

#include <string.h>
#include <strings.h>

static const uint8_t preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
static const uint8_t mark[] = "HTTP/";

void ww_http1_begin(ww_http1_connection *connection) { memset(connection, 0, sizeof *connection); }

// MARK: pending requests

// False if there are too many.
static bool push_request(ww_http1_connection *connection) {
    if (connection->pending) {
        uint8_t *last = connection->run_count ? ww_http1_run(connection, connection->run_count - 1u) : NULL;
        bool continues = last && (*last & ((1 << METHOD_BITS) - 1)) == connection->newest
            && *last >> METHOD_BITS < MOST_IN_RUN - 1;
        if (connection->pending == WW_HTTP1_MOST_PENDING) return false;
        if (!continues && connection->run_count == WW_HTTP1_MOST_RUNS) return false;
        if (continues) *last += 1 << METHOD_BITS;
        else *ww_http1_run(connection, connection->run_count++) = connection->newest;
    }
    connection->pending++;
    connection->newest = ANY_METHOD;
    return true;
}

static void answered(ww_http1_connection *connection) {
    if (!connection->pending) return;
    connection->pending--;
    if (!connection->run_count) return;
    uint8_t *first = ww_http1_run(connection, 0);
    if (*first >> METHOD_BITS) {
        *first -= 1 << METHOD_BITS;
    } else {
        connection->oldest = (connection->oldest + 1) % WW_HTTP1_MOST_RUNS;
        connection->run_count--;
    }
}

// Takes the newest one back.
static void pop_request(ww_http1_connection *connection) {
    connection->pending--;
    if (!connection->run_count) return;
    uint8_t *last = ww_http1_run(connection, connection->run_count - 1u);
    connection->newest = *last & ((1 << METHOD_BITS) - 1);
    if (*last >> METHOD_BITS) *last -= 1 << METHOD_BITS;
    else connection->run_count--;
}

// Whether a request waits for a response. A request whose bytes are all held back does not count: it may be none.
static bool is_asked(const ww_http1_connection *connection) {
    return connection->pending > (connection->request.held ? 1u : 0u);
}

// Removes the newest request, whose bytes turned out not to be one, unless its response has started.
static void take_back_request(ww_http1_connection *connection) {
    bool is_answering = connection->response.state != START && connection->response.state <= UNTIL_CLOSE;
    if (connection->pending > (is_answering ? 1u : 0u)) pop_request(connection);
}

// MARK: the ends of header sections and messages

static void switch_protocol(ww_http1_connection *connection, const char *name) {
    ww_http1_side *request = &connection->request;
    bool is_http2 = !strcasecmp(name, "h2c"); // RFC 7540, section 3.2
    connection->switched = is_http2 ? WW_HTTP1_HTTP2 : WW_HTTP1_UPGRADED;
    memcpy(connection->upgrade, name, strlen(name) + 1);
    connection->response.state = is_http2 ? HTTP2 : UPGRADED;
    // Bytes that are held back there are looked at when more come.
    bool is_between = request->state == START || request->state == AWAITING;
    if (is_between && !request->held) request->state = connection->response.state;
}

static void end_request(ww_http1_connection *connection, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->request;
    piece->ends = 1;
    if (connection->switched) {
        side->state = connection->switched == WW_HTTP1_HTTP2 ? HTTP2 : UPGRADED;
    } else {
        side->state = connection->pending && connection->newest == CONNECT_METHOD ? AWAITING : START;
    }
}

static void end_response(ww_http1_connection *connection, ww_http1_piece *piece) {
    piece->ends = 1;
    connection->response.state = START;
    bool was_connect = connection->pending && ww_http1_oldest_method(connection) == CONNECT_METHOD;
    answered(connection);
    ww_http1_side *request = &connection->request;
    // The server refused a CONNECT: the next request may follow.
    if (was_connect && request->state == AWAITING) request->state = START;
    // It refused to be sent the content (RFC 9110, section 10.1.1): the request is repeated without that expectation.
    bool is_waiting = request->expects && !connection->pending && (request->state == LENGTH || request->state == CHUNKED);
    if (connection->response.status == 417 && is_waiting) {
        request->state = START;
        request->expects = 0;
        piece->is_refused = 1;
    }
}

// Whether the fields delimit the body (RFC 9112, section 6.3, rules 3 to 6); sets the state to match.
static bool has_delimited_body(ww_http1_side *side) {
    if (side->coding_flags & HAS_CODING) {
        // Transfer-Encoding overrides Content-Length.
        side->state = side->coding_flags & ENDS_CHUNKED ? CHUNKED : UNTIL_CLOSE;
        return true;
    }
    if (side->length_flags & BAD_LENGTH) {
        side->state = UNTIL_CLOSE;
        return true;
    }
    if (side->length_flags & HAS_LENGTH) {
        side->left = side->length;
        side->state = LENGTH;
        return true;
    }
    return false;
}

static void end_request_head(ww_http1_connection *connection, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->request;
    side->has_spoken = 1;
    connection->has_request = 1;
    connection->has_offered = side->upgrade_count > 0;
    if (!has_delimited_body(side) || (side->state == LENGTH && !side->left)) end_request(connection, piece);
}

static void end_response_head(ww_http1_connection *connection, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->response;
    uint8_t method = ww_http1_oldest_method(connection);
    uint16_t status = side->status;
    side->has_spoken = 1;
    piece->status = status;
    if (status == 100) connection->request.expects = 0;
    if (status == 101) {
        piece->ends = 1;
        answered(connection);
        switch_protocol(connection, side->upgrade);
    } else if (status >= 100 && status < 200) {
        side->state = START;
    } else if (method == CONNECT_METHOD && status >= 200 && status < 300) {
        piece->ends = 1;
        answered(connection);
        switch_protocol(connection, "");
    } else if (method == HEAD_METHOD || status == 204 || status == 304) {
        end_response(connection, piece);
    } else if (!has_delimited_body(side)) {
        side->state = UNTIL_CLOSE;
    } else if (side->state == LENGTH && !side->left) {
        end_response(connection, piece);
    }
}

// Classifies bytes that are not a request's. On a connection of HTTP they may be another protocol's; otherwise it may
// carry no HTTP.
static void break_request(ww_http1_connection *connection, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->request;
    take_back_request(connection);
    if (!connection->has_request) {
        connection->is_foreign = 1;
        side->state = FOREIGN;
        piece->kind = WW_HTTP1_FOREIGN;
    } else if (connection->has_offered) {
        // The client has not waited for the 101.
        side->state = UPGRADED;
        piece->kind = WW_HTTP1_UPGRADED;
    } else {
        side->state = LOST;
        piece->kind = WW_HTTP1_SURPLUS;
    }
}

static size_t scan_head(
    ww_http1_connection *connection, ww_http1_side *side, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    bool is_request = side == &connection->request;
    uint32_t before = side->head_count;
    bool was_in_line = side->state == LINE;
    enum result result;
    piece->kind = WW_HTTP1_HEAD;
    piece->begins = before == 0 || before == piece->held;
    size_t taken = ww_http1_head_bytes(connection, side, bytes, count, &result);
    switch (result) {
    case GOES_ON: break;
    case ENDS_HEAD:
        piece->ends_head = 1;
        if (is_request) end_request_head(connection, piece);
        else end_response_head(connection, piece);
        break;
    case ENDS_SIMPLE:
        piece->ends_head = 1;
        side->has_spoken = 1;
        connection->has_request = 1;
        end_request(connection, piece);
        break;
    case BREAKS:
        if (is_request && was_in_line && side->state == LINE) {
            piece->begins = 0;
            piece->undone = before - piece->held;
            break_request(connection, piece);
            // A line that is too long breaks before the next byte.
            if (!taken) taken = count;
        } else {
            side->state = LOST;
            if (!taken) {
                piece->kind = WW_HTTP1_SURPLUS;
                piece->begins = 0;
                taken = count;
            }
        }
        break;
    }
    return taken;
}

// MARK: the first bytes of messages

static void hold(ww_http1_side *side, const uint8_t *bytes, size_t count) {
    memcpy(side->held_bytes + side->held, bytes, count);
    side->held += (uint8_t)count;
}

static uint8_t release(ww_http1_side *side) {
    uint8_t held = side->held;
    side->held = 0;
    return held;
}

// The number of bytes that, after the held ones, continue a prefix of `known`.
static size_t matching(const ww_http1_side *side, const uint8_t *known, size_t size, const uint8_t *bytes, size_t count) {
    size_t at = 0;
    while (at < count && side->held + at < size && bytes[at] == known[side->held + at]) at++;
    return at;
}

static size_t line_ends(const uint8_t *bytes, size_t count) {
    size_t at = 0;
    while (at < count && (bytes[at] == '\r' || bytes[at] == '\n')) at++;
    return at;
}

static size_t all(ww_http1_piece *piece, enum ww_http1_kind kind, size_t count) {
    piece->kind = (uint8_t)kind;
    return count;
}

static size_t start_request(ww_http1_connection *connection, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->request;
    if (!side->held) {
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
        size_t empty = line_ends(bytes, count);
        if (empty) return all(piece, WW_HTTP1_SURPLUS, empty);
        if (!push_request(connection)) {
            connection->is_full = 1;
            side->state = LOST;
            return all(piece, WW_HTTP1_SURPLUS, count);
        }
    }
    size_t matched = matching(side, preface, sizeof preface - 1, bytes, count);
    if (side->held + matched == sizeof preface - 1) {
        take_back_request(connection);
        side->state = HTTP2;
        if (!connection->switched) connection->switched = WW_HTTP1_HTTP2;
        piece->held = release(side);
        return all(piece, WW_HTTP1_HTTP2, matched);
    }
    if (matched == count) {
        hold(side, bytes, count);
        return all(piece, WW_HTTP1_HELD, count);
    }
    piece->held = release(side);
    if (connection->response.state == UPGRADED || connection->response.state == HTTP2) {
        take_back_request(connection);
        side->state = connection->response.state;
        return all(piece, connection->switched, count);
    }
    ww_http1_begin_head(side, METHOD);
    // Held bytes start a request line, too, unless they contain that line's end.
    enum result result;
    ww_http1_head_bytes(connection, side, side->held_bytes, piece->held, &result);
    if (result == BREAKS) {
        break_request(connection, piece);
        return count;
    }
    return scan_head(connection, side, bytes, count, piece);
}

// A server of HTTP/2 may send first: SETTINGS on stream 0 (RFC 9113, section 3.4).
static bool is_settings(const uint8_t *header) {
    size_t length = (size_t)header[0] << 16 | (size_t)header[1] << 8 | header[2];
    static const uint8_t rest[] = {4, 0, 0, 0, 0, 0};
    return length % 6 == 0 && length <= 6 * 256 && !memcmp(header + 3, rest, sizeof rest);
}

// Classifies bytes of a server before the client has sent anything.
static size_t start_unasked(ww_http1_connection *connection, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->response;
    uint8_t first = side->held ? side->held_bytes[0] : bytes[0];
    if (first == mark[0]) {
        size_t matched = matching(side, mark, sizeof mark - 1, bytes, count);
        if (side->held + matched == sizeof mark - 1) {
            // The server sends a response without a request, such as a 408.
            side->has_spoken = 1;
            piece->held = release(side);
            return all(piece, WW_HTTP1_SURPLUS, matched);
        }
        if (matched == count) {
            hold(side, bytes, count);
            return all(piece, WW_HTTP1_HELD, count);
        }
    } else if (first == 0) {
        size_t taken = 9u - side->held < count ? 9u - side->held : count;
        uint8_t before = side->held;
        hold(side, bytes, taken);
        if (side->held < 9) return all(piece, WW_HTTP1_HELD, taken);
        side->held = 0;
        piece->held = before;
        if (is_settings(side->held_bytes)) {
            connection->switched = WW_HTTP1_HTTP2;
            side->state = HTTP2;
            return all(piece, WW_HTTP1_HTTP2, taken);
        }
        connection->is_foreign = 1;
        return all(piece, WW_HTTP1_FOREIGN, taken);
    }
    piece->held = release(side);
    connection->is_foreign = 1;
    return all(piece, WW_HTTP1_FOREIGN, count);
}

static size_t start_response(ww_http1_connection *connection, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    ww_http1_side *side = &connection->response;
    const ww_http1_side *request = &connection->request;
    if (!is_asked(connection)) {
        if (connection->switched == WW_HTTP1_HTTP2) {
            side->state = HTTP2;
            piece->held = release(side);
            return all(piece, WW_HTTP1_HTTP2, count);
        }
        if (!side->has_spoken && !request->has_spoken) {
            return start_unasked(connection, bytes, count, piece);
        }
        piece->held = release(side);
        return all(piece, WW_HTTP1_SURPLUS, count);
    }
    bool is_simple = ww_http1_oldest_method(connection) == SIMPLE_GET && request->state != LINE;
    if (!side->held && !is_simple) {
        size_t empty = line_ends(bytes, count);
        if (empty) return all(piece, WW_HTTP1_SURPLUS, empty);
    }
    // Held bytes may be the start of SETTINGS, because no request was waiting when they came. Then they match nothing.
    bool is_mark = !side->held || side->held_bytes[0] == mark[0];
    size_t matched = is_mark ? matching(side, mark, sizeof mark - 1, bytes, count) : 0;
    if (is_mark && side->held + matched == sizeof mark - 1) {
        piece->held = release(side);
        piece->begins = 1;
        ww_http1_begin_head(side, VERSION);
        side->head_count = side->line_count = sizeof mark - 1;
        return all(piece, WW_HTTP1_HEAD, matched);
    }
    if (matched == count) {
        hold(side, bytes, count);
        return all(piece, WW_HTTP1_HELD, count);
    }
    piece->held = release(side);
    if (side->has_spoken) {
        side->state = LOST;
        return all(piece, WW_HTTP1_SURPLUS, count);
    }
    // There is no status line, so this is HTTP/0.9 (RFC 1945, section 6).
    side->has_spoken = 1;
    side->state = UNTIL_CLOSE;
    piece->begins = 1;
    return all(piece, WW_HTTP1_CONTENT, count);
}

// MARK: all bytes

static size_t scan_chunks(
    ww_http1_connection *connection, ww_http1_side *side, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    bool is_content;
    side->expects = 0;
    size_t taken = ww_chunk_scan(&side->chunks, bytes, count, &is_content);
    piece->kind = is_content ? WW_HTTP1_CONTENT : WW_HTTP1_FRAMING;
    if (side->chunks.state == WW_CHUNK_DONE) {
        if (side == &connection->request) end_request(connection, piece);
        else end_response(connection, piece);
    }
    return taken;
}

size_t ww_http1_scan(
    ww_http1_connection *connection, bool is_response, const uint8_t *bytes, size_t count, ww_http1_piece *piece) {
    ww_http1_side *side = is_response ? &connection->response : &connection->request;
    memset(piece, 0, sizeof *piece);
    if (count == 0) return 0;
    if (connection->is_foreign) {
        piece->held = release(side);
        if (!is_response && is_head(side->state)) piece->undone = side->head_count;
        side->state = FOREIGN;
    }
    switch (side->state) {
    case START:
        return is_response ? start_response(connection, bytes, count, piece)
                           : start_request(connection, bytes, count, piece);
    case LENGTH: {
        side->expects = 0;
        size_t taken = count < side->left ? count : (size_t)side->left;
        side->left -= taken;
        if (!side->left) {
            if (is_response) end_response(connection, piece);
            else end_request(connection, piece);
        }
        return all(piece, WW_HTTP1_CONTENT, taken);
    }
    case CHUNKED: return scan_chunks(connection, side, bytes, count, piece);
    case UNTIL_CLOSE: return all(piece, WW_HTTP1_CONTENT, count);
    case AWAITING: // the client has not waited for the tunnel
    case UPGRADED: return all(piece, WW_HTTP1_UPGRADED, count);
    case LOST: return all(piece, WW_HTTP1_SURPLUS, count);
    case HTTP2: return all(piece, WW_HTTP1_HTTP2, count);
    case FOREIGN: return all(piece, WW_HTTP1_FOREIGN, count);
    default: return scan_head(connection, side, bytes, count, piece);
    }
}

void ww_http1_end(ww_http1_connection *connection, bool is_response, ww_http1_piece *piece) {
    ww_http1_side *side = is_response ? &connection->response : &connection->request;
    memset(piece, 0, sizeof *piece);
    piece->held = release(side);
    bool has_begun = is_head(side->state) || side->state == LENGTH || side->state == CHUNKED;
    if (connection->is_foreign) {
        piece->kind = WW_HTTP1_FOREIGN;
        side->state = FOREIGN;
    } else if (piece->held) {
        if (connection->switched) {
            piece->kind = connection->switched;
        } else if (is_response && !is_asked(connection)) {
            // Too few bytes for a response, and no request was waiting.
            connection->is_foreign = !connection->request.has_spoken && !side->has_spoken;
            piece->kind = connection->is_foreign ? WW_HTTP1_FOREIGN : WW_HTTP1_SURPLUS;
        } else {
            piece->kind = WW_HTTP1_HEAD;
            piece->begins = piece->is_cut = 1;
        }
        side->state = LOST;
    } else if (has_begun) {
        piece->kind = is_head(side->state) ? WW_HTTP1_HEAD : WW_HTTP1_CONTENT;
        piece->is_cut = 1;
        side->state = LOST;
    } else if (side->state == UNTIL_CLOSE) {
        piece->kind = WW_HTTP1_CONTENT;
        piece->ends = 1;
        side->state = LOST;
        if (is_response) answered(connection);
    } else if (side->state == START || side->state == AWAITING) {
        side->state = LOST;
    }
}
