// Which of the functions that libcurl calls in its HTTP/2 and TLS libraries and on sockets are hooked.

#ifdef __linux__
#include <string.h>

#include "hooked_dependencies.h"
#include "libraries.h"

static uint32_t hooked[MOST_LIBRARIES];

#define BIT(name) (1u << WWT_PLACE_##name)

static const char *const names[] = {
#define NAME(name) #name,
    WWT_EACH_DEPENDENCY(NAME)
#undef NAME
};

static bool has_any(int library, uint32_t bits) {
    return (__atomic_load_n(&hooked[library], __ATOMIC_ACQUIRE) & bits) != 0;
}

bool wwt_dependency_follows_http2(int library) {
    return has_any(library, BIT(nghttp2_session_client_new) | BIT(nghttp2_session_client_new2) | BIT(nghttp2_session_client_new3))
        && has_any(library, BIT(nghttp2_session_del))
        && has_any(library, BIT(nghttp2_session_mem_recv) | BIT(nghttp2_session_mem_recv2))
        && has_any(library, BIT(nghttp2_session_callbacks_set_send_callback) | BIT(nghttp2_session_callbacks_set_send_callback2)
                | BIT(nghttp2_session_mem_send) | BIT(nghttp2_session_mem_send2))
        && has_any(library, BIT(nghttp2_submit_request) | BIT(nghttp2_submit_request2));
}

bool wwt_dependency_follows_tls(int library) {
    return (has_any(library, BIT(SSL_new)) && has_any(library, BIT(SSL_free)) && has_any(library, BIT(SSL_read))
               && has_any(library, BIT(SSL_write)))
        || (has_any(library, BIT(gnutls_init)) && has_any(library, BIT(gnutls_deinit))
            && has_any(library, BIT(gnutls_record_recv)) && has_any(library, BIT(gnutls_record_send)));
}

bool wwt_dependency_follows_sends(int library) { return has_any(library, BIT(send)); }

bool wwt_dependency_follows_waits(int library) { return has_any(library, BIT(poll)); }

int wwt_dependency_place(const char *name) {
    _Static_assert(WWT_PLACES <= 32, "a bit for each");
    for (int place = 0; place < WWT_PLACES; place++) {
        if (strcmp(name, names[place]) == 0) return place;
    }
    return -1;
}

void wwt_dependency_set_next(int library, const char *name, void *function) {
    int place = wwt_dependency_place(name);
    if (place < 0) return;
    void **next = (void **)&wwt_library_number(library)->dependencies;
    __atomic_store_n(&next[place], function, __ATOMIC_RELEASE);
}

void wwt_dependency_hooked(int library, const char *name) {
    int place = wwt_dependency_place(name);
    if (place >= 0) __atomic_or_fetch(&hooked[library], 1u << place, __ATOMIC_RELEASE);
}

void wwt_dependency_unhooked(void) {
    for (int library = 0; library < MOST_LIBRARIES; library++) __atomic_store_n(&hooked[library], 0, __ATOMIC_RELEASE);
}

#endif
