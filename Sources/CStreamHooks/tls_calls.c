// Hooks for functions of OpenSSL and GnuTLS, and what all hooks of TLS libraries share: each calls the function that its
// caller was linked against, and reports the plaintext.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CStreamTap.h"
#include "dependencies.h"
#include "hook_names.h"
#include "hooked_dependencies.h"
#include "libraries.h"
#include "own_code.h"
#include "tls_functions.h"

#define MOST_TLS 16
static tls libraries[MOST_TLS]; // under the lock of sessions
static int library_count;

// MARK: the library that a caller means

/// Looks a name up as the linker would have bound it for that caller, if we were not there.
static void *look_up(void *handle, const char *name) {
    void *function = handle ? wwt_look_up(handle, name) : NULL;
    if (function && !wireweight_is_own(function)) return function;
    function = wireweight_next(name);
    return function && !wireweight_is_own(function) ? function : NULL;
}

/// An object, to look names up in what it was linked with; NULL for the program itself and for what is loaded globally.
static void *open_object(const void *caller) {
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !map->l_name[0]) return NULL;
    return dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

bool wireweight_has_next(const void *caller, const char *name) {
    void *handle = open_object(caller);
    bool has_it = look_up(handle, name);
    if (handle) dlclose(handle);
    return has_it;
}

#define MOST_PATHS 8
struct paths {
    const char *prefix;
    size_t count;
    char path[MOST_PATHS][512];
};

static int note_path(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct paths *paths = context;
    const char *file = strrchr(info->dlpi_name, '/');
    if (!file || strncmp(file + 1, paths->prefix, strlen(paths->prefix)) != 0) return 0;
    if (strlen(info->dlpi_name) < sizeof *paths->path) strcpy(paths->path[paths->count++], info->dlpi_name);
    return paths->count == MOST_PATHS;
}

/// A TLS library that has the name, though its caller was not linked with it: it was loaded for others, and the caller
/// has asked for one of its functions, which jumped to another.
static void *open_tls_library(const char *name) {
    struct paths paths = {.prefix = name[0] == 'g' ? "libgnutls" : name[0] == 'P' ? "libnspr" : "libssl"};
    dl_iterate_phdr(note_path, &paths);
    for (size_t i = 0; i < paths.count; i++) {
        void *handle = dlopen(paths.path[i], RTLD_LAZY | RTLD_NOLOAD);
        if (handle && look_up(handle, name)) return handle;
        if (handle) dlclose(handle);
    }
    return NULL;
}

tls wireweight_find_functions(const void *mark, void *handle, void *(*find)(void *handle, const char *name)) {
    tls made = {.mark = mark};
#define FIND(function) *(void **)&made.next.function = find(handle, #function);
    EACH_FUNCTION(FIND)
#undef FIND
#define FIND(function) *(void **)&made.asked.function = find(handle, #function);
    EACH_QUESTION(FIND)
#undef FIND
#define FIND(function) *(void **)&made.words.function = find(handle, #function);
    WWT_EACH_TLS_WORD(FIND)
#undef FIND
    return made;
}

static tls *learn(const void *caller, const char *name) {
    void *handle = open_object(caller);
    const void *mark = look_up(handle, name);
    if (!mark) {
        if (handle) dlclose(handle);
        handle = open_tls_library(name);
        mark = look_up(handle, name);
    }
    tls *found = NULL;
    if (mark) {
        Dl_info info;
        // Libraries are distinguished by where they are. It stays loaded, or our pointers into it would dangle.
        if (dladdr(mark, &info)) {
            mark = info.dli_fbase;
            dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        }
        tls made = wireweight_find_functions(mark, handle, look_up);
        made.asked.is_gnutls = name[0] == 'g';
        made.asked.is_nss = name[0] == 'P' || strcmp(name, "SSL_ForceHandshake") == 0;
        wws_lock_sessions();
        for (int i = 0; i < library_count; i++) {
            if (libraries[i].mark != mark || libraries[i].asked.is_gnutls != made.asked.is_gnutls) continue;
            if (libraries[i].asked.is_nss == made.asked.is_nss) found = &libraries[i];
        }
        if (!found && library_count < MOST_TLS) {
            found = &libraries[library_count];
            *found = made;
            found->asked.words = &found->words;
            library_count++;
        }
        wws_unlock_sessions();
    }
    if (handle) dlclose(handle);
    return found;
}

/// The libraries by the place of the call. Objects with calls of TLS are seldom unloaded; the place of one that was
/// may be another object's.
#define PLACES 256
#define PROBES 8
static struct {
    const void *caller;
    tls *library;
} places[PLACES];

const tls *wireweight_library_of(const void *caller, const char *name) {
    // A library that jumps from one of its exported functions to another makes us the caller.
    if (wireweight_is_own(caller)) {
        if (wireweight_current) return wireweight_current;
        if (wwt_called_tls) caller = wwt_called_tls;
    }
    unsigned first = (unsigned)(((uintptr_t)caller * 0x9E3779B185EBCA87ULL) >> 56);
    for (unsigned i = 0; i < PROBES; i++) {
        unsigned place = (first + i) % PLACES;
        if (__atomic_load_n(&places[place].caller, __ATOMIC_ACQUIRE) == caller) return places[place].library;
    }
    int before = errno;
    tls *found = learn(caller, name);
    errno = before;
    // Without it the program could not have started.
    if (!found) abort();
    wws_lock_sessions();
    for (unsigned i = 0; i < PROBES; i++) {
        unsigned place = (first + i) % PLACES;
        if (places[place].caller && places[place].caller != caller) continue;
        places[place].library = found;
        __atomic_store_n(&places[place].caller, caller, __ATOMIC_RELEASE);
        break;
    }
    wws_unlock_sessions();
    return found;
}

// MARK: calls within calls

__thread running wireweight_sending, wireweight_receiving;
__thread const tls *wireweight_current;

#define LIBRARY(name) wireweight_library_of(__builtin_return_address(0), #name)

// MARK: OpenSSL

EXPORTED int HOOK(SSL_read)(void *session, void *bytes, int count) {
    return do_SSL_read(LIBRARY(SSL_read), session, bytes, count);
}

EXPORTED int HOOK(SSL_read_ex)(void *session, void *bytes, size_t count, size_t *taken) {
    return do_SSL_read_ex(LIBRARY(SSL_read_ex), session, bytes, count, taken);
}

EXPORTED int HOOK(SSL_write)(void *session, const void *bytes, int count) {
    return do_SSL_write(LIBRARY(SSL_write), session, bytes, count);
}

EXPORTED int HOOK(SSL_write_ex)(void *session, const void *bytes, size_t count, size_t *taken) {
    return do_SSL_write_ex(LIBRARY(SSL_write_ex), session, bytes, count, taken);
}

EXPORTED int HOOK(SSL_write_ex2)(void *session, const void *bytes, size_t count, uint64_t flags, size_t *taken) {
    return do_SSL_write_ex2(LIBRARY(SSL_write_ex2), session, bytes, count, flags, taken);
}

EXPORTED int HOOK(SSL_write_early_data)(void *session, const void *bytes, size_t count, size_t *taken) {
    return do_SSL_write_early_data(LIBRARY(SSL_write_early_data), session, bytes, count, taken);
}

EXPORTED int HOOK(SSL_read_early_data)(void *session, void *bytes, size_t count, size_t *taken) {
    return do_SSL_read_early_data(LIBRARY(SSL_read_early_data), session, bytes, count, taken);
}

EXPORTED int HOOK(SSL_accept)(void *session) { return do_SSL_accept(LIBRARY(SSL_accept), session); }

EXPORTED int HOOK(SSL_connect)(void *session) { return do_SSL_connect(LIBRARY(SSL_connect), session); }

EXPORTED int HOOK(SSL_do_handshake)(void *session) { return do_SSL_do_handshake(LIBRARY(SSL_do_handshake), session); }

EXPORTED int HOOK(SSL_up_ref)(void *session) { return do_SSL_up_ref(LIBRARY(SSL_up_ref), session); }

EXPORTED void HOOK(SSL_free)(void *session) { do_SSL_free(LIBRARY(SSL_free), session); }

EXPORTED const void *HOOK(BIO_f_ssl)(void) { return do_BIO_f_ssl(LIBRARY(BIO_f_ssl)); }

EXPORTED void *HOOK(BIO_new_ssl)(void *context, int is_client) {
    return do_BIO_new_ssl(LIBRARY(BIO_new_ssl), context, is_client);
}

EXPORTED void *HOOK(BIO_new_ssl_connect)(void *context) {
    return do_BIO_new_ssl_connect(LIBRARY(BIO_new_ssl_connect), context);
}

EXPORTED void *HOOK(BIO_new_buffer_ssl_connect)(void *context) {
    return do_BIO_new_buffer_ssl_connect(LIBRARY(BIO_new_buffer_ssl_connect), context);
}

// MARK: GnuTLS

enum { GNUTLS_E_AGAIN = -28, GNUTLS_E_INTERRUPTED = -52 };

#define SENDS(name) const tls *library = LIBRARY(name); call call = sends(library, session)
#define RECEIVES(name) const tls *library = LIBRARY(name); call call = receives(library, session)

static ssize_t sent_by_gnutls(const call *call, const void *session, const void *bytes, size_t size, ssize_t count) {
    end_call(call);
    if (!call->counts || !wws_is_on()) return count;
    bool is_postponed = count == GNUTLS_E_AGAIN || count == GNUTLS_E_INTERRUPTED;
    if (bytes && is_postponed) wws_tls_postponed(session, bytes, size);
    if (bytes) wws_tls_sent(&call->library->asked, session, bytes, count);
    else if (!is_postponed) wws_tls_sent_postponed(&call->library->asked, session, count);
    return count;
}

EXPORTED ssize_t HOOK(gnutls_record_send)(void *session, const void *bytes, size_t count) {
    SENDS(gnutls_record_send);
    ssize_t taken = library->next.gnutls_record_send(session, bytes, count);
    return sent_by_gnutls(&call, session, bytes, count, taken);
}

EXPORTED ssize_t HOOK(gnutls_record_send2)(void *session, const void *bytes, size_t count, size_t padding, unsigned flags) {
    SENDS(gnutls_record_send2);
    ssize_t taken = library->next.gnutls_record_send2(session, bytes, count, padding, flags);
    return sent_by_gnutls(&call, session, bytes, count, taken);
}

/// Sends by gnutls_record_send what was counted when it was corked.
EXPORTED int HOOK(gnutls_record_uncork)(void *session, unsigned flags) {
    SENDS(gnutls_record_uncork);
    int result = library->next.gnutls_record_uncork(session, flags);
    end_call(&call);
    return result;
}

EXPORTED ssize_t HOOK(gnutls_record_recv)(void *session, void *bytes, size_t count) {
    RECEIVES(gnutls_record_recv);
    return received(&call, session, bytes, library->next.gnutls_record_recv(session, bytes, count));
}

EXPORTED ssize_t HOOK(gnutls_record_recv_seq)(void *session, void *bytes, size_t count, unsigned char *sequence) {
    RECEIVES(gnutls_record_recv_seq);
    return received(&call, session, bytes, library->next.gnutls_record_recv_seq(session, bytes, count, sequence));
}

EXPORTED ssize_t HOOK(gnutls_record_recv_packet)(void *session, void **packet) {
    RECEIVES(gnutls_record_recv_packet);
    ssize_t taken = library->next.gnutls_record_recv_packet(session, packet);
    datum content = {NULL, 0};
    if (taken > 0 && library->next.gnutls_packet_get) library->next.gnutls_packet_get(*packet, &content, NULL);
    received(&call, session, content.data, taken > 0 ? (ssize_t)content.size : taken);
    return taken;
}

EXPORTED int HOOK(gnutls_handshake)(void *session) {
    RECEIVES(gnutls_handshake);
    int result = library->next.gnutls_handshake(session);
    return shaken(&call, session, result, result == 0);
}

EXPORTED void HOOK(gnutls_deinit)(void *session) {
    const tls *library = LIBRARY(gnutls_deinit);
    if (session) wws_tls_freed(session);
    library->next.gnutls_deinit(session);
}

#endif
