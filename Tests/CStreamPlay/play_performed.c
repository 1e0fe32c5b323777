// When the tap of libcurl turns on verbose mode, alone.
#include "play.h"

#define wwt_dependency_follows_http2 csp_follows_http2
#define wwt_dependency_follows_sends csp_follows_sends
#define wwt_dependency_follows_waits csp_follows_waits
#define wwt_hold_head csp_hold_head
#define wwt_may_begin_quietly csp_may_begin_quietly
#define wwt_number_of csp_number_of
#define wwt_output_enter csp_output_enter
#define wwt_output_leave csp_output_leave
#define wwt_perform_begin csp_perform_begin
#define wwt_perform_end csp_perform_end
#define wwt_perform_forget csp_perform_forget
#define wwt_performed_opens_http2 csp_performed_opens_http2
#define wwt_performed_sends csp_performed_sends
#define wwt_send_held csp_send_held
#define wwt_transfer_send csp_transfer_send
#define wwt_transfer_speak csp_transfer_speak

#include "performed.c"

#ifdef __linux__
#include <stdlib.h>

#include "CStreamPlay.h"
#include "handles.h"

static __thread csp_libcurl hooked;

bool csp_follows_http2(int library) { return library == 0 && hooked.follows_http2; }
bool csp_follows_sends(int library) { return library == 0 && hooked.follows_sends; }
bool csp_follows_waits(int library) { return library != 0; }
int csp_number_of(const wwt_library *library) { return library ? 0 : -1; }
bool csp_output_enter(uint32_t begun) { return begun != 0; }
void csp_output_leave(void) {}
void csp_transfer_speak(wwt_transfer *transfer) { transfer->is_quiet = false; }

void csp_transfer_send(wwt_transfer *transfer, uint64_t now, bool last) {
    (void)transfer;
    (void)now;
    (void)last;
}

static wwt_library library_of(csp_libcurl libcurl) {
    hooked = libcurl;
    return (wwt_library){.version_number = libcurl.version, .features = libcurl.features, .has_http2 = libcurl.has_http2};
}

bool csp_begins_quietly(csp_libcurl libcurl) {
    wwt_library library = library_of(libcurl);
    wwt_handle handle = {.verbose = libcurl.is_verbose, .asks_doh = libcurl.asks_doh};
    return wwt_may_begin_quietly(&library, &handle);
}

csp_spoken csp_perform(csp_libcurl libcurl, bool opens_http2) {
    wwt_library library = library_of(libcurl);
    wwt_transfer *outer = calloc(3, sizeof *outer), *inner = outer + 1, *other = outer + 2;
    outer->is_quiet = inner->is_quiet = other->is_quiet = true;
    csp_spoken spoken = {0};
    wwt_performed_sends(); // nothing is performed
    // `outer`'s callback performs `inner`. `other` belongs to a multi handle.
    wwt_transfer *none = wwt_perform_begin(outer), *outside = wwt_perform_begin(inner);
    if (opens_http2) wwt_performed_opens_http2(&library);
    else wwt_performed_sends();
    spoken.inner = !inner->is_quiet;
    spoken.outer_too_early = !outer->is_quiet;
    wwt_perform_end(outside);
    wwt_performed_sends();
    spoken.outer = !outer->is_quiet;
    wwt_perform_end(none);
    wwt_performed_sends();
    spoken.other = !other->is_quiet;
    spoken.has_http2 = library.has_http2;
    free(outer);
    return spoken;
}

#endif
