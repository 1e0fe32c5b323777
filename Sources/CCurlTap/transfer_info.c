// Reads from libcurl what it reports about a transfer, and builds the frames with it.

#ifdef __linux__
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "hooked_dependencies.h"
#include "kernel_counts.h"
#include "libraries.h"
#include "proxy_handshake.h"
#include "socket_ends.h"
#include "tls.h"
#include "transfer_info.h"

bool wwt_has_scheme(const char *url, const char *scheme) { return strncasecmp(url, scheme, strlen(scheme)) == 0; }

bool wwt_is_http(const char *url) {
    return wwt_has_scheme(url, "http://") || wwt_has_scheme(url, "https://") || wwt_has_scheme(url, "ws://")
        || wwt_has_scheme(url, "wss://");
}

static bool is_secure(const char *url) { return wwt_has_scheme(url, "https://") || wwt_has_scheme(url, "wss://"); }

static wwt_times read_times(const wwt_source *source) {
    static const CURLINFO which[] = {
        CURLINFO_QUEUE_TIME_T, CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T,
        CURLINFO_TOTAL_TIME_T, CURLINFO_REDIRECT_TIME_T,
    };
    int64_t times[6];
    for (int i = 0; i < 6; i++) {
        times[i] = -1;
        source->library->easy_getinfo(source->easy, which[i], &times[i]);
    }
    return (wwt_times){times[0], times[1], times[2], times[3], times[4], times[5]};
}

static long read_long(const wwt_source *source, CURLINFO which) {
    long value = 0;
    source->library->easy_getinfo(source->easy, which, &value);
    return value;
}

/// 0 if it is not known; libcurl 8 returns -1 then.
static uint32_t read_port(const wwt_source *source, CURLINFO which) {
    long port = read_long(source, which);
    return port > 0 && port <= UINT16_MAX ? (uint32_t)port : 0;
}

uint32_t wwt_named_port(const wwt_source *source) { return read_port(source, CURLINFO_LOCAL_PORT); }

int64_t wwt_turned_at(const wwt_source *source) {
    int64_t time = 0;
    source->library->easy_getinfo(source->easy, CURLINFO_REDIRECT_TIME_T, &time);
    return time;
}

long wwt_connects_of(const wwt_source *source) { return read_long(source, CURLINFO_NUM_CONNECTS); }

/// The ends that the tap found without libcurl, as long as libcurl names no other ports.
static const wwt_ends *found_ends(const wwt_source *source) {
    return source->ends && wwt_named_port(source) == source->ends->instead_of ? source->ends : NULL;
}

static uint32_t local_port_of(const wwt_source *source) {
    const wwt_ends *found = found_ends(source);
    return found ? found->local_port : wwt_named_port(source);
}

static uint32_t remote_port_of(const wwt_source *source) {
    const wwt_ends *found = found_ends(source);
    return found ? found->remote_port : read_port(source, CURLINFO_PRIMARY_PORT);
}

static const char *read_text(const wwt_source *source, CURLINFO which) {
    const char *value = NULL;
    source->library->easy_getinfo(source->easy, which, &value);
    return value ? value : "";
}

static const char *local_address_of(const wwt_source *source) {
    const wwt_ends *found = found_ends(source);
    return found ? found->local_address : read_text(source, CURLINFO_LOCAL_IP);
}

static const char *remote_address_of(const wwt_source *source) {
    const wwt_ends *found = found_ends(source);
    return found ? found->remote_address : read_text(source, CURLINFO_PRIMARY_IP);
}

const char *wwt_url_of(const wwt_source *source) { return read_text(source, CURLINFO_EFFECTIVE_URL); }

/// The socket of the connection with these ends, which are those that `source` names.
static int socket_between(const wwt_source *source, uint32_t local_port, uint32_t remote_port, const char *peer) {
    if (local_port == 0) return -1;
    int before = errno, socket = -1;
    // CURLINFO_ACTIVESOCKET makes libcurl walk its pool of connections, under the program's lock if threads share the
    // pool.
    if (!wwt_socket_of(local_port, remote_port, peer, &socket)) {
        source->library->easy_getinfo(source->easy, CURLINFO_ACTIVESOCKET, &socket);
        // Until a request has ended, 7.88 and 8.14 may return the socket of the previous request, on another
        // connection.
        if (socket >= 0 && wwt_local_port(socket) != local_port) socket = -1;
    }
    errno = before;
    return socket;
}

int wwt_socket_carrying(const wwt_source *source) {
    uint32_t local_port = local_port_of(source), remote_port = remote_port_of(source);
    const char *peer = remote_address_of(source);
    wwt_carried carried;
    // libcurl has just sent over it, so it is still open.
    if (wwt_socket_remembered(local_port, remote_port, peer, &carried) && carried.sent_last) return carried.socket;
    return socket_between(source, local_port, remote_port, peer);
}

static void read_socket(int socket, wwt_tcp *tcp, wwt_plaintext *plaintext) {
    if (socket < 0) return;
    *tcp = wwt_read_tcp(socket, false);
    *plaintext = wwt_tls_read(socket);
}

/// What the connection with these ends has carried; left at 0 if libcurl does not report which connection that is.
static void read_counts(
    const wwt_source *source, uint32_t local_port, uint32_t remote_port, const char *peer, wwt_tcp *tcp,
    wwt_plaintext *plaintext) {
    wwt_carried carried;
    // A descriptor whose counts are those of the connection need not be compared with it.
    if (wwt_socket_remembered(local_port, remote_port, peer, &carried)
        && wwt_read_tcp_at_rest(carried.socket, carried.sent, carried.received, tcp)) {
        *plaintext = wwt_tls_read(carried.socket);
    } else {
        read_socket(socket_between(source, local_port, remote_port, peer), tcp, plaintext);
    }
}

static wwt_tls_session read_tls(const wwt_source *source) {
    wwt_tls_session tls = {.version = "", .cipher = ""};
    const struct curl_tlssessioninfo *info = NULL;
    CURLcode code = source->library->easy_getinfo(source->easy, CURLINFO_TLS_SSL_PTR, &info);
    const wwt_ends *found = code == CURLE_OK ? NULL : found_ends(source);
    if (found) {
        tls.session = found->tls;
        tls.is_gnutls = found->is_gnutls;
        if (!tls.session) return tls;
    } else {
        if (!info || !info->internals) return tls;
        if (info->backend != CURLSSLBACKEND_OPENSSL && info->backend != CURLSSLBACKEND_GNUTLS) return tls;
        tls.session = info->internals;
        tls.is_gnutls = info->backend == CURLSSLBACKEND_GNUTLS;
    }
    wwt_tls_describe(&source->library->words, &tls);
    return tls;
}

/// Adds a frame about the connection that a request goes over, if it is new or TLS has started on it.
static void connection_frame(
    const wwt_source *source, wwt_frames *frames, uint64_t now, bool is_secure, bool is_new,
    const wwt_request_body *request) {
    bool counts_tls = is_secure && wwt_dependency_follows_tls(wwt_number_of(source->library));
    if (!is_new && !counts_tls) return;
    int socket = wwt_socket_carrying(source);
    if (!is_new && wwt_tls_is_settled(socket)) return;
    wwt_tls_session tls = read_tls(source);
    if (tls.session) {
        wwt_tls_set_socket(tls.session, socket);
    } else if (wwt_tls_session_on(socket, &tls)) {
        wwt_tls_describe(&source->library->words, &tls);
    }
    const char *local = local_address_of(source), *peer = remote_address_of(source);
    const char *texts[] = {local, peer, tls.version, tls.cipher, tls.protocol};
    wwt_connection_body body = {
        .local_port = request->local_port,
        .remote_port = request->remote_port,
        .uses_tls = tls.session != NULL,
    };
    read_socket(socket, &body.tcp, &body.plaintext);
    body.prelude = wwt_prelude_of(socket);
    size_t size = sizeof body;
    for (int i = 0; i < 5; i++) size += sizeof(uint32_t) + wwt_text_length(texts[i]);
    if (!wwt_frames_begin(frames, WWT_CONNECTION, now, size)) return;
    wwt_frames_append(frames, &body, sizeof body);
    for (int i = 0; i < 5; i++) wwt_frames_append_text(frames, texts[i], wwt_text_length(texts[i]));
}

int64_t wwt_report_request(
    const wwt_source *source, wwt_frames *frames, uint64_t now, const char *url, enum wwt_count_need need,
    int64_t connects_reported) {
    const char *peer = remote_address_of(source);
    size_t url_length = wwt_text_length(url), peer_length = wwt_text_length(peer);
    wwt_request_body body = {
        .times = read_times(source),
        .connects = read_long(source, CURLINFO_NUM_CONNECTS),
        .header_size = read_long(source, CURLINFO_HEADER_SIZE),
        .local_port = local_port_of(source),
        .remote_port = remote_port_of(source),
    };
    // From 8.21 on libcurl does not count the connections of handles that it made itself.
    const wwt_ends *found = found_ends(source);
    if (found && found->is_new && body.connects <= connects_reported) body.connects = connects_reported + 1;
    if (body.connects > connects_reported) wwt_socket_claim(body.local_port);
    bool overtakes = need != WWT_COUNT_NEVER && wwt_socket_overtake(body.local_port, frames->transfer);
    if (overtakes || need == WWT_COUNT_ALWAYS) {
        read_counts(source, body.local_port, body.remote_port, peer, &body.tcp, &body.plaintext);
    }
    if (!wwt_frames_begin(frames, WWT_REQUEST, now, sizeof body + 8 + url_length + peer_length)) return connects_reported;
    wwt_frames_append(frames, &body, sizeof body);
    wwt_frames_append_text(frames, url, url_length);
    wwt_frames_append_text(frames, peer, peer_length);
    connection_frame(source, frames, now, is_secure(url), body.connects > connects_reported, &body);
    return body.connects;
}

void wwt_report_end(
    const wwt_source *source, wwt_frames *frames, uint64_t now, enum wwt_end_how how, CURLcode result, uint32_t patience,
    bool is_done) {
    const char *url = wwt_url_of(source), *peer = remote_address_of(source);
    const char *error = how == WWT_END_DONE && result != CURLE_OK ? source->library->easy_strerror(result) : "";
    // The request method; if the transfer sent nothing, the one that it would have sent.
    const char *method = read_text(source, CURLINFO_EFFECTIVE_METHOD);
    size_t url_length = wwt_text_length(url), peer_length = wwt_text_length(peer), error_length = wwt_text_length(error);
    size_t method_length = wwt_text_length(method);
    wwt_end_body body = {
        .times = read_times(source),
        .how = how,
        .result = result,
        .header_size = read_long(source, CURLINFO_HEADER_SIZE),
        .connects = read_long(source, CURLINFO_NUM_CONNECTS),
        .local_port = local_port_of(source),
        .remote_port = remote_port_of(source),
        .http_version = (int32_t)read_long(source, CURLINFO_HTTP_VERSION),
        .os_errno = (int32_t)read_long(source, CURLINFO_OS_ERRNO),
        .patience = patience,
        .is_done = is_done,
    };
    read_counts(source, body.local_port, body.remote_port, peer, &body.tcp, &body.plaintext);
    wwt_socket_release(body.local_port, frames->transfer);
    size_t texts = 16 + url_length + peer_length + error_length + method_length;
    if (!wwt_frames_begin(frames, WWT_END, now, sizeof body + texts)) return;
    wwt_frames_append(frames, &body, sizeof body);
    wwt_frames_append_text(frames, url, url_length);
    wwt_frames_append_text(frames, peer, peer_length);
    wwt_frames_append_text(frames, error, error_length);
    wwt_frames_append_text(frames, method, method_length);
}

void wwt_report_bare_end(wwt_frames *frames, uint64_t now, int64_t heads) {
    wwt_end_body body = {
        .times = {-1, -1, -1, -1, -1, -1},
        .how = WWT_END_REMOVED,
        .header_size = heads,
    };
    if (!wwt_frames_begin(frames, WWT_END, now, sizeof body + 16)) return;
    wwt_frames_append(frames, &body, sizeof body);
    for (int text = 0; text < 4; text++) wwt_frames_append_text(frames, "", 0);
}

#endif
