// Hooks for functions of NSPR, by which programs on NSS send and receive: a file of NSPR is a stack of layers, and one of
// them may be TLS (https://firefox-source-docs.mozilla.org/nspr/reference/i_o_functions.html).

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "CStreamTap.h"
#include "hook_names.h"
#include "tls_functions.h"

enum { PR_NSPR_IO_LAYER = 0, PR_MSG_PEEK = 2 };

/// The layers that a process can name are few; those of TLS are called so by NSS.
enum { MOST_LAYERS = 64 };

static int find_layer(const tls *library) {
    int known = __atomic_load_n(&library->layer, __ATOMIC_RELAXED);
    for (int i = 1; !known && i < MOST_LAYERS; i++) {
        const char *name = library->next.PR_GetNameForIdentity(i);
        if (name && strcmp(name, "SSL") == 0) known = i;
    }
    // The libraries are not constant; only their users see them so.
    __atomic_store_n((int *)(uintptr_t)&library->layer, known, __ATOMIC_RELAXED);
    return known;
}

/// Whether what is written to a file of NSPR goes through TLS, and then to a descriptor.
static bool is_secure(const tls *library, void *file) {
    if (!file || !wws_is_on() || !library->next.PR_GetIdentitiesLayer || !library->next.PR_GetNameForIdentity) return false;
    // Files and sockets without layers above them are most, and need no more than this.
    void *bottom = library->next.PR_GetIdentitiesLayer(file, PR_NSPR_IO_LAYER);
    if (!bottom || bottom == file) return false;
    int layer = find_layer(library);
    return layer && library->next.PR_GetIdentitiesLayer(file, layer);
}

// A layer may call these functions for the one below it: so a thread that is in one of them is in none of another file.
#define LIBRARY(name) wireweight_library_of(__builtin_return_address(0), #name)

EXPORTED int32_t HOOK(PR_Read)(void *file, void *bytes, int32_t count) {
    const tls *library = LIBRARY(PR_Read);
    if (!is_secure(library, file)) return library->next.PR_Read(file, bytes, count);
    call call = receives(library, library);
    return (int32_t)received(&call, file, bytes, library->next.PR_Read(file, bytes, count));
}

EXPORTED int32_t HOOK(PR_Recv)(void *file, void *bytes, int32_t count, int flags, uint32_t timeout) {
    const tls *library = LIBRARY(PR_Recv);
    if ((flags & PR_MSG_PEEK) || !is_secure(library, file)) return library->next.PR_Recv(file, bytes, count, flags, timeout);
    call call = receives(library, library);
    return (int32_t)received(&call, file, bytes, library->next.PR_Recv(file, bytes, count, flags, timeout));
}

EXPORTED int32_t HOOK(PR_Write)(void *file, const void *bytes, int32_t count) {
    const tls *library = LIBRARY(PR_Write);
    if (!is_secure(library, file)) return library->next.PR_Write(file, bytes, count);
    call call = sends(library, library);
    return (int32_t)sent(&call, file, bytes, library->next.PR_Write(file, bytes, count));
}

EXPORTED int32_t HOOK(PR_Send)(void *file, const void *bytes, int32_t count, int flags, uint32_t timeout) {
    const tls *library = LIBRARY(PR_Send);
    if (!is_secure(library, file)) return library->next.PR_Send(file, bytes, count, flags, timeout);
    call call = sends(library, library);
    return (int32_t)sent(&call, file, bytes, library->next.PR_Send(file, bytes, count, flags, timeout));
}

typedef struct piece {
    const uint8_t *bytes;
    int count;
} piece;

EXPORTED int32_t HOOK(PR_Writev)(void *file, const void *pieces, int32_t piece_count, uint32_t timeout) {
    const tls *library = LIBRARY(PR_Writev);
    if (!is_secure(library, file)) return library->next.PR_Writev(file, pieces, piece_count, timeout);
    call call = sends(library, library);
    int32_t taken = library->next.PR_Writev(file, pieces, piece_count, timeout), rest = taken;
    end_call(&call);
    for (const piece *each = pieces; call.counts && rest > 0; each++) {
        int32_t count = each->count < rest ? each->count : rest;
        wws_tls_sent(&library->asked, file, each->bytes, count);
        rest -= count;
    }
    return taken;
}

EXPORTED int HOOK(SSL_ForceHandshake)(void *file) {
    enum { SECSuccess = 0 };
    const tls *library = LIBRARY(SSL_ForceHandshake);
    if (!is_secure(library, file)) return library->next.SSL_ForceHandshake(file);
    call call = receives(library, library);
    int result = library->next.SSL_ForceHandshake(file);
    return shaken(&call, file, result, result == SECSuccess);
}

EXPORTED int HOOK(PR_Close)(void *file) {
    const tls *library = LIBRARY(PR_Close);
    if (is_secure(library, file)) wws_tls_freed(file);
    return library->next.PR_Close(file);
}

#endif
