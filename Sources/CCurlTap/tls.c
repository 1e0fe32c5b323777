// Counts the plaintext that passes through each TLS session. The kernel's count minus the plaintext is the overhead of
// TLS.

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fork_lock.h"
#include "frame_output.h"
#include "tls.h"

#define BUCKETS 256

/// A session has its address as its key while it lives. It also has its socket as a key, from the first request on it
/// until the socket is closed, which may be after the session's end.
typedef struct counted {
    const void *session; // NULL after its end
    int socket;          // -1 while it is not known
    bool is_gnutls;
    uint32_t generation;
    uint64_t sent, received;
    struct counted *below; // the session to a proxy through which this one's records go, as its plaintext
    struct counted *above;
    void *tunnel;               // OpenSSL's object through which the records go to the session below, if libcurl does not
    const wwt_tls_words *words; // pass them on itself: it counts them
    uint64_t tunnel_sent, tunnel_received;
    struct counted *next_by_session, *next_by_socket;
} counted;

static counted *by_session[BUCKETS];
static counted *by_socket[BUCKETS];
static wwt_fork_lock table = WWT_FORK_LOCK;

void wwt_lock_tls(void) { wwt_lock(&table); }

void wwt_unlock_tls(void) { wwt_unlock(&table); }

static counted **session_bucket(const void *session) {
    return &by_session[((uintptr_t)session >> 4) * 0x9E3779B185EBCA87ULL >> 56];
}

static counted **socket_bucket(int socket) { return &by_socket[(unsigned)socket % BUCKETS]; }

static counted *find_locked(const void *session) {
    counted *found = *session_bucket(session);
    while (found && found->session != session) found = found->next_by_session;
    return found;
}

static counted *find_socket_locked(int socket) {
    counted *found = *socket_bucket(socket);
    while (found && found->socket != socket) found = found->next_by_socket;
    return found;
}

/// The innermost session of those that lead through each other; it carries the messages.
static counted *top_locked(counted *entry) {
    while (entry && entry->above) entry = entry->above;
    return entry;
}

/// Frees an entry that has neither session nor socket, and carries no other. A session inside another stays as long as
/// the other has the socket: if its handshake failed, the bytes that it sent still count as TLS.
static void release_locked(counted *entry) {
    while (entry && !entry->session && entry->socket < 0 && !entry->above) {
        counted *below = entry->below;
        if (below && below->socket >= 0) return;
        if (below) below->above = NULL;
        free(entry);
        entry = below;
    }
}

static void leave_session_locked(counted *entry) {
    for (counted **link = session_bucket(entry->session); *link; link = &(*link)->next_by_session) {
        if (*link != entry) continue;
        *link = entry->next_by_session;
        break;
    }
    entry->session = NULL;
    release_locked(entry);
}

static void leave_socket_locked(counted *entry) {
    for (counted **link = socket_bucket(entry->socket); *link; link = &(*link)->next_by_socket) {
        if (*link != entry) continue;
        *link = entry->next_by_socket;
        break;
    }
    entry->socket = -1;
    release_locked(top_locked(entry));
}

void wwt_tls_opened(const void *session, bool is_gnutls) {
    int before = errno;
    counted *made = calloc(1, sizeof *made);
    if (made) {
        made->session = session;
        made->socket = -1;
        made->is_gnutls = is_gnutls;
        made->generation = wwt_output_generation();
        wwt_lock(&table);
        counted *stale = find_locked(session); // its end was not seen
        if (stale) leave_session_locked(stale);
        made->next_by_session = *session_bucket(session);
        *session_bucket(session) = made;
        wwt_unlock(&table);
    }
    errno = before;
}

/// Adds what has gone through the tunnel since the last time to the plaintext of the session below.
static void count_tunnel_locked(counted *entry) {
    if (!entry->tunnel || !entry->below) return;
    uint64_t sent = entry->words->BIO_number_written(entry->tunnel);
    uint64_t received = entry->words->BIO_number_read(entry->tunnel);
    entry->below->sent += sent - entry->tunnel_sent;
    entry->below->received += received - entry->tunnel_received;
    entry->tunnel_sent = sent;
    entry->tunnel_received = received;
}

void wwt_tls_closed(const void *session) {
    wwt_lock(&table);
    counted *found = find_locked(session);
    if (found) {
        count_tunnel_locked(found);
        found->tunnel = NULL; // it ends with the session
        leave_session_locked(found);
    }
    wwt_unlock(&table);
}

void wwt_tls_received(const void *session, int64_t count) {
    wwt_lock(&table);
    counted *found = find_locked(session);
    if (found) {
        found->received += (uint64_t)count;
        count_tunnel_locked(found);
    }
    wwt_unlock(&table);
}

void wwt_tls_sent(const void *session, int64_t count) {
    wwt_lock(&table);
    counted *found = find_locked(session);
    if (found) {
        found->sent += (uint64_t)count;
        count_tunnel_locked(found);
    }
    wwt_unlock(&table);
}

int wwt_tls_socket(const void *session) {
    int socket = -1;
    wwt_lock(&table);
    for (const counted *each = find_locked(session); each && socket < 0; each = each->above) socket = each->socket;
    wwt_unlock(&table);
    return socket;
}

void wwt_tls_carries(const void *carrier, const void *session) {
    wwt_lock(&table);
    counted *below = find_locked(carrier), *above = find_locked(session);
    if (below && above && below->above != above && above->below == NULL && below->above == NULL && top_locked(above) != below) {
        below->above = above;
        above->below = below;
    }
    wwt_unlock(&table);
}

void wwt_tls_goes_through(const void *session, void *bio, const wwt_tls_words *words) {
    enum { TYPE_SSL = 0x0207, GET_SSL = 110 };
    if (!bio || !words->BIO_method_type || !words->BIO_ctrl || !words->BIO_number_read || !words->BIO_number_written) return;
    if (words->BIO_method_type(bio) != TYPE_SSL) return;
    void *carrier = NULL;
    if (words->BIO_ctrl(bio, GET_SSL, 0, &carrier) != 1 || !carrier) return;
    wwt_tls_carries(carrier, session);
    wwt_lock(&table);
    counted *found = find_locked(session);
    if (found && found->below && found->below->session == carrier) {
        found->tunnel = bio;
        found->words = words;
    }
    wwt_unlock(&table);
}

bool wwt_tls_session_on(int socket, wwt_tls_session *session) {
    if (socket < 0) return false;
    wwt_lock(&table);
    const counted *found = top_locked(find_socket_locked(socket));
    bool is_there = found && found->session && found->generation == wwt_output_generation();
    if (is_there) *session = (wwt_tls_session){(void *)(uintptr_t)found->session, found->is_gnutls, false, "", "", ""};
    wwt_unlock(&table);
    return is_there;
}

const void *wwt_tls_on(int socket) {
    wwt_tls_session session;
    return wwt_tls_session_on(socket, &session) ? session.session : NULL;
}

bool wwt_tls_is_settled(int socket) {
    if (socket < 0) return false;
    wwt_lock(&table);
    const counted *found = find_socket_locked(socket);
    bool is_settled = found && !found->above && found->generation == wwt_output_generation();
    wwt_unlock(&table);
    return is_settled;
}

void wwt_tls_set_socket(const void *session, int socket) {
    if (socket < 0) return;
    wwt_lock(&table);
    counted *found = find_locked(session);
    counted *stale = find_socket_locked(socket);
    if (stale && stale != found) leave_socket_locked(stale);
    if (found && found->socket != socket) {
        if (found->socket >= 0) leave_socket_locked(found);
        found->socket = socket;
        found->next_by_socket = *socket_bucket(socket);
        *socket_bucket(socket) = found;
    }
    wwt_unlock(&table);
}

static wwt_plaintext read_locked(counted *on_socket) {
    const counted *found = top_locked(on_socket);
    if (!found || found->generation != wwt_output_generation()) return (wwt_plaintext){0};
    wwt_plaintext result = {.known = 1, .sent = found->sent, .received = found->received};
    if (found->below) {
        result.proxy_known = 1;
        result.proxy_sent = found->below->sent;
        result.proxy_received = found->below->received;
    }
    return result;
}

wwt_plaintext wwt_tls_read(int socket) {
    if (socket < 0) return (wwt_plaintext){0};
    wwt_lock(&table);
    wwt_plaintext result = read_locked(find_socket_locked(socket));
    wwt_unlock(&table);
    return result;
}

bool wwt_tls_read_if_free(int socket, wwt_plaintext *plaintext) {
    if (!wwt_try_lock(&table)) return false;
    *plaintext = read_locked(find_socket_locked(socket));
    wwt_unlock(&table);
    return true;
}

wwt_plaintext wwt_tls_take(int socket) {
    if (socket < 0) return (wwt_plaintext){0};
    wwt_lock(&table);
    counted *found = find_socket_locked(socket);
    wwt_plaintext result = read_locked(found);
    if (found) leave_socket_locked(found);
    wwt_unlock(&table);
    return result;
}

/// The beginnings of what NSS fills in; each has a length, so that later versions can add to the end.
typedef struct nss_channel {
    uint32_t length;
    uint16_t version, cipher;
} nss_channel;

typedef struct nss_cipher {
    uint16_t length, cipher;
    const char *name;
} nss_cipher;

static void describe_nss(const wwt_tls_words *words, wwt_tls_session *session) {
    // As OpenSSL names them.
    static const char *const names[] = {"SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"};
    enum { SSL3 = 0x300, NAMES = sizeof names / sizeof *names };
    nss_channel channel = {0};
    nss_cipher cipher = {0};
    bool is_known = words->SSL_GetChannelInfo && words->SSL_GetChannelInfo(session->session, &channel, sizeof channel) == 0;
    if (!is_known || channel.length < sizeof channel) return;
    if (channel.version >= SSL3 && channel.version - SSL3 < NAMES) session->version = names[channel.version - SSL3];
    bool is_named = words->SSL_GetCipherSuiteInfo
        && words->SSL_GetCipherSuiteInfo(channel.cipher, &cipher, sizeof cipher) == 0 && cipher.length >= sizeof cipher;
    if (is_named && cipher.name) session->cipher = cipher.name;
}

void wwt_tls_describe(const wwt_tls_words *words, wwt_tls_session *session) {
    void *tls = session->session;
    const unsigned char *name = NULL;
    unsigned char protocol_of_nss[sizeof session->protocol];
    unsigned length = 0;
    session->version = session->cipher = "";
    if (session->is_nss) {
        int state;
        describe_nss(words, session);
        bool has_protocol = words->SSL_GetNextProto
            && words->SSL_GetNextProto(tls, &state, protocol_of_nss, &length, sizeof protocol_of_nss) == 0;
        if (has_protocol) name = protocol_of_nss;
    } else if (session->is_gnutls) {
        struct datum {
            const unsigned char *data;
            unsigned size;
        } protocol = {NULL, 0};
        if (words->gnutls_ciphersuite_get) session->cipher = words->gnutls_ciphersuite_get(tls);
        // Before it is negotiated, as where early data is sent, it would be said to be the least of TLS 1.2 and later.
        bool is_negotiated = !words->gnutls_ciphersuite_get || session->cipher;
        if (is_negotiated && words->gnutls_protocol_get_version && words->gnutls_protocol_get_name) {
            // As OpenSSL names them.
            static const char *const names[] = {NULL, "SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"};
            int version = words->gnutls_protocol_get_version(tls);
            bool is_usual = version > 0 && version < (int)(sizeof names / sizeof *names);
            session->version = is_usual ? names[version] : words->gnutls_protocol_get_name(version);
        }
        if (words->gnutls_alpn_get_selected_protocol && words->gnutls_alpn_get_selected_protocol(tls, &protocol) == 0) {
            name = protocol.data;
            length = protocol.size;
        }
    } else {
        if (words->SSL_get_version) session->version = words->SSL_get_version(tls);
        const void *cipher = words->SSL_get_current_cipher ? words->SSL_get_current_cipher(tls) : NULL;
        if (cipher && words->SSL_CIPHER_get_name) session->cipher = words->SSL_CIPHER_get_name(cipher);
        if (words->SSL_get0_alpn_selected) words->SSL_get0_alpn_selected(tls, &name, &length);
    }
    if (!session->version) session->version = "";
    if (!session->cipher) session->cipher = "";
    if (!name || length >= sizeof session->protocol) length = 0;
    if (length) memcpy(session->protocol, name, length);
    session->protocol[length] = 0;
}

#endif
