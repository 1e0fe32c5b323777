// What the tap does when a program calls libcurl: it keeps a record of each handle, and puts transfers under the tap.

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "curl_calls.h"
#include "handle_options.h"
#include "handles.h"
#include "libraries.h"
#include "performed.h"
#include "transfer.h"
#include "watching.h"

/// Foundation's tasks make their handles before they run, perhaps before the tap started. Their history is still known
/// well enough: Foundation sets a debug function only if this variable is set, and sets its close function each time a
/// transfer begins.
static bool is_foundations(const wwt_handle *handle) {
    Dl_info info;
    if (!handle->closes.function || getenv("URLSessionDebugLibcurl")) return false;
    return dladdr((void *)handle->closes.function, &info) && info.dli_fname
        && strstr(info.dli_fname, "libFoundationNetworking");
}

/// libcurl's resolver over HTTPS takes verbose mode and the log from the transfer, but not the debug function. So the
/// log has to be hidden meanwhile. It cannot be hidden if the program's progress meter is shown in it, nor in the versions
/// that do not take the log.
static bool would_show(const wwt_library *library, const wwt_handle *handle) {
    if (!handle->asks_doh || handle->verbose) return false;
    bool takes_no_log = library->version_number >= 0x074100u && library->version_number < 0x074c00u; // 7.65 to 7.75
    return handle->shows_progress || takes_no_log || !wwt_can_hide_logs();
}

static wwt_transfer *begin(wwt_library *library, CURL *easy, bool is_performed) {
    wwt_handle *handle = wwt_remember_handle(easy, false);
    if (!handle) {
        wwt_tap_untapped();
        return NULL;
    }
    // A transfer that libcurl is done with is over when the next one begins, even if the program has not removed the
    // handle.
    if (handle->active && wwt_transfer_has_result(handle->active)) wwt_transfer_end(handle, WWT_END_DONE, true);
    if (handle->active) return NULL;
    if (!library->is_known || (!wwt_history_is_known(handle) && !is_foundations(handle)) || would_show(library, handle)) {
        wwt_tap_untapped();
        return NULL;
    }
    handle->active = wwt_transfer_begin(library, handle, is_performed);
    if (!handle->active) wwt_tap_untapped();
    // Either this thread sees here that the tap was disabled, or the thread that disables it sees that this transfer
    // runs.
    if (handle->active && !wwt_tap_enabled()) wwt_transfer_end(handle, WWT_END_STOPPED, false);
    return handle->active;
}

/// Puts a handle under the tap; NULL if that is not possible, or if it is already under it.
static wwt_transfer *attach(wwt_library *library, CURL *easy, bool is_performed) {
    if (!wwt_tap_enabled() || wwt_leaves_libcurl) return NULL;
    int before = errno;
    wwt_transfer *transfer = begin(library, easy, is_performed);
    errno = before;
    return transfer;
}

/// The record of a handle that was just made. If there is a transfer in it, it belongs to an earlier handle at this
/// address.
static wwt_handle *remember_new(CURL *easy) {
    wwt_handle *handle = wwt_remember_handle(easy, true);
    if (!handle || !handle->active) return handle;
    wwt_transfer *stale = handle->active;
    handle->active = NULL;
    wwt_idle_if(wwt_transfer_forget(stale));
    return handle;
}

CURL *wwt_easy_init(wwt_library *library) {
    CURL *easy = library->next.easy_init();
    if (easy) remember_new(easy);
    return easy;
}

void wwt_easy_cleanup(wwt_library *library, CURL *easy) {
    wwt_handle *handle = wwt_handle_of(easy);
    wwt_transfer *transfer = wwt_transfer_detach(handle, WWT_END_REMOVED, true);
    if (handle) wwt_forget_handle(easy);
    library->next.easy_cleanup(easy);
    wwt_transfer_finish(transfer);
}

void wwt_easy_reset(wwt_library *library, CURL *easy) {
    library->next.easy_reset(easy);
    wwt_handle *handle = wwt_remember_handle(easy, true);
    if (handle && handle->active) wwt_transfer_take_options(handle->active);
}

CURL *wwt_easy_duphandle(wwt_library *library, CURL *easy) {
    CURL *copy = library->next.easy_duphandle(easy);
    if (!copy) return NULL;
    wwt_handle *from = wwt_handle_of(easy);
    wwt_handle *to = remember_new(copy);
    if (!to) return copy;
    if (!from) {
        to->watched = 0;
        return copy;
    }
    wwt_handle *next = to->next;
    uint32_t watched = wwt_history_is_known(from) ? to->watched : 0;
    *to = *from;
    to->doh_url = from->doh_url ? strdup(from->doh_url) : NULL;
    to->easy = copy;
    to->next = next;
    to->active = NULL;
    to->watched = watched;
    // The copy has our functions, but they belong to the transfer of the original.
    if (from->active) wwt_options_give_back(library, to);
    return copy;
}

/// Whether libcurl now holds the tap's value for that option, not the program's.
static bool is_ours(const wwt_handle *handle, CURLoption option) {
    if (!handle->active) return false;
    switch (option) {
    case CURLOPT_VERBOSE:
    case CURLOPT_DEBUGFUNCTION:
    case CURLOPT_DEBUGDATA: return true;
    case CURLOPT_CLOSESOCKETFUNCTION:
    case CURLOPT_CLOSESOCKETDATA: return handle->closer_placed;
    case CURLOPT_STDERR: return handle->log_hidden;
    default: return false;
    }
}

/// Takes over a handle that libcurl has made to resolve names over HTTPS. Its options are those of a new handle, except
/// for those that libcurl has set since through the tap's hook.
static void adopt(wwt_handle *handle) {
    uint32_t now = wwt_watch_period();
    if (!wwt_tap_enabled()) return;
    const void *asking = wwt_transfer_take_over(handle);
    wwt_set_libcurls_own(handle, asking, now);
}

/// Not inlined, so that options that only look like noted ones cost little.
__attribute__((noinline)) static CURLcode set_noted(wwt_library *library, CURL *easy, CURLoption option, void *argument) {
    wwt_handle *handle = easy ? wwt_remember_handle(easy, false) : NULL;
    // While our functions are in place, the tap keeps the program's and sets them afterwards.
    if (!handle || !is_ours(handle, option)) {
        CURLcode code = library->next.easy_setopt(easy, option, argument);
        if (code != CURLE_OK || !handle) return code;
    }
    switch (option) {
    case CURLOPT_VERBOSE: handle->verbose = (long)argument; break;
    case CURLOPT_STDERR: handle->log = argument; break;
    case CURLOPT_DEBUGFUNCTION: *(void **)&handle->debug = argument; break;
    case CURLOPT_DEBUGDATA: handle->debug_data = argument; break;
    case CURLOPT_CLOSESOCKETFUNCTION: *(void **)&handle->closes.function = argument; break;
    case CURLOPT_CLOSESOCKETDATA: handle->closes.client = argument; break;
    case CURLOPT_DOH_URL:
        handle->asks_doh = argument != NULL;
        free(handle->doh_url);
        handle->doh_url = argument ? strdup(argument) : NULL;
        break;
    case CURLOPT_XFERINFODATA: handle->client = argument; return CURLE_OK;
    case CURLOPT_HTTP_TRANSFER_DECODING: handle->keeps_chunks = (long)argument == 0; return CURLE_OK;
    default: handle->shows_progress = (long)argument == 0; break;
    }
    // From 8.6 on libcurl gives its own handles our debug function.
    if (option == CURLOPT_DEBUGDATA && !handle->active && argument && wwt_is_our_debug(handle)) {
        adopt(handle);
        attach(library, easy, false);
        return CURLE_OK;
    }
    if (!handle->active) return CURLE_OK;
    // A callback has set it. Verbose mode may matter now: to the program, or to a resolver over HTTPS.
    wwt_transfer_speak(handle->active);
    if (option == CURLOPT_CLOSESOCKETFUNCTION || option == CURLOPT_CLOSESOCKETDATA) {
        // Set it now, because the connection that the function is meant for may not be made yet.
        wwt_options_take_closer(library, handle);
    } else {
        wwt_options_place_log(library, handle);
    }
    return CURLE_OK;
}

CURLcode wwt_easy_setopt_noted(wwt_library *library, CURL *easy, CURLoption option, void *argument) {
    switch (option) {
    case CURLOPT_VERBOSE:
    case CURLOPT_STDERR:
    case CURLOPT_DEBUGFUNCTION:
    case CURLOPT_DEBUGDATA:
    case CURLOPT_CLOSESOCKETFUNCTION:
    case CURLOPT_CLOSESOCKETDATA:
    case CURLOPT_DOH_URL:
    case CURLOPT_XFERINFODATA:
    case CURLOPT_HTTP_TRANSFER_DECODING:
    case CURLOPT_NOPROGRESS: return set_noted(library, easy, option, argument);
    default: return library->next.easy_setopt(easy, option, argument);
    }
}

/// The handle that this thread performs untapped: libcurl may call its own multi functions for it, which must not count
/// it again.
static __thread const CURL *untapped_here;

CURLcode wwt_easy_perform(wwt_library *library, CURL *easy) {
    wwt_transfer *transfer = easy ? attach(library, easy, true) : NULL;
    const CURL *outside = untapped_here;
    untapped_here = transfer ? NULL : easy;
    wwt_transfer *performed_outside = wwt_perform_begin(transfer);
    CURLcode code = library->next.easy_perform(easy);
    untapped_here = outside;
    // libcurl may have called its own multi functions meanwhile; then the end has been reported.
    wwt_handle *handle = transfer ? wwt_handle_of(easy) : NULL;
    if (handle && handle->active == transfer) {
        wwt_transfer_result(transfer, code);
        wwt_transfer_end(handle, WWT_END_DONE, true);
    }
    wwt_perform_end(performed_outside);
    return code;
}

CURLMcode wwt_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy) {
    wwt_transfer *transfer = easy && easy != untapped_here ? attach(library, easy, false) : NULL;
    CURLMcode code = library->next.multi_add_handle(multi, easy);
    if (code != 0 && transfer) wwt_transfer_end(wwt_handle_of(easy), WWT_END_REMOVED, false);
    return code;
}

static void adopt_if_libcurls(const wwt_library *library, CURL *easy, const void *caller) {
    wwt_handle *handle = wwt_handle_of(easy);
    if (handle && (handle->active || wwt_history_is_known(handle))) return;
    Dl_info info;
    if (!dladdr(caller, &info) || (uintptr_t)info.dli_fbase != library->base) return;
    if ((handle = wwt_remember_handle(easy, false))) adopt(handle);
}

CURLMcode wwt_multi_add_handle_from(wwt_library *library, CURLM *multi, CURL *easy, const void *caller) {
    int before = errno;
    // libcurl also adds the handles that a program performs, which are not libcurl's own.
    if (easy && easy != untapped_here) adopt_if_libcurls(library, easy, caller);
    errno = before;
    return wwt_multi_add_handle(library, multi, easy);
}

CURLMcode wwt_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy) {
    wwt_handle *handle = easy ? wwt_handle_of(easy) : NULL;
    // Concluded before the call, while libcurl still has the figures and the socket. Reported after it, because libcurl
    // may still reset a stream.
    wwt_transfer *transfer = wwt_transfer_detach(handle, WWT_END_REMOVED, true);
    CURLMcode code = library->next.multi_remove_handle(multi, easy);
    wwt_transfer_finish(transfer);
    // The tap does not see libcurl clean it up.
    if (handle && handle->is_libcurls) wwt_forget_handle(easy);
    return code;
}

// MARK: what libcurl makes for itself

static wwt_handle *find_libcurls(const CURL *easy) {
    wwt_handle *handle = easy ? wwt_handle_of(easy) : NULL;
    return handle && handle->is_set_by_libcurl ? handle : NULL;
}

CURLcode wwt_own_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument) {
    // CURLOPT_URL is the first option that libcurl sets on such a handle.
    if (option == CURLOPT_URL && easy && wwt_tap_enabled()) {
        int before = errno;
        wwt_handle *handle = remember_new(easy);
        if (handle) {
            handle->is_set_by_libcurl = true;
            handle->watched = 0;
        }
        errno = before;
    }
    return find_libcurls(easy) ? wwt_easy_setopt(library, easy, option, argument)
                               : library->next.easy_setopt(easy, option, argument);
}

CURLMcode wwt_own_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy) {
    wwt_handle *handle = find_libcurls(easy);
    if (!handle) return library->next.multi_add_handle(multi, easy);
    if (!handle->active && !handle->is_libcurls) adopt(handle);
    return wwt_multi_add_handle(library, multi, easy);
}

CURLMcode wwt_own_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy) {
    return find_libcurls(easy) ? wwt_multi_remove_handle(library, multi, easy)
                               : library->next.multi_remove_handle(multi, easy);
}

CURLMsg *wwt_multi_info_read(wwt_library *library, CURLM *multi, int *left) {
    CURLMsg *message = library->next.multi_info_read(multi, left);
    if (message && message->msg == CURLMSG_DONE) {
        wwt_handle *handle = wwt_handle_of(message->easy_handle);
        if (handle && handle->active) wwt_transfer_result(handle->active, message->data.result);
    }
    return message;
}

#endif
