// What happens when a program calls libcurl. The call is caught by hooked slots (linker_slots.c) or by exported names
// (the preloaded library). Both pass it on with the library that it was meant for.
#ifndef WWT_CURL_CALLS_H
#define WWT_CURL_CALLS_H

#include "curl_abi.h"

CURL *wwt_easy_init(wwt_library *library);
void wwt_easy_cleanup(wwt_library *library, CURL *easy);
void wwt_easy_reset(wwt_library *library, CURL *easy);
CURL *wwt_easy_duphandle(wwt_library *library, CURL *easy);
/// For options that the tap may have to know.
CURLcode wwt_easy_setopt_noted(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLcode wwt_easy_perform(wwt_library *library, CURL *easy);
CURLMcode wwt_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
/// The same, with the caller's address, because libcurl adds handles of its own.
CURLMcode wwt_multi_add_handle_from(wwt_library *library, CURLM *multi, CURL *easy, const void *caller);
CURLMcode wwt_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
// The same for calls that libcurl makes to itself. For handles that libcurl did not make, the program's call has passed
// through the hooks already.
CURLcode wwt_own_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLMcode wwt_own_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMcode wwt_own_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMsg *wwt_multi_info_read(wwt_library *library, CURLM *multi, int *left);

/// A program may set a hundred options for each transfer, nearly all of which the tap need not know. The filter lets
/// every noted option pass, and few others.
static inline CURLcode wwt_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument) {
#define BIT(option) (UINT64_C(1) << ((option) & 63))
    const uint64_t noted = BIT(CURLOPT_VERBOSE) | BIT(CURLOPT_STDERR) | BIT(CURLOPT_DEBUGFUNCTION) | BIT(CURLOPT_DEBUGDATA)
        | BIT(CURLOPT_CLOSESOCKETFUNCTION) | BIT(CURLOPT_CLOSESOCKETDATA) | BIT(CURLOPT_DOH_URL)
        | BIT(CURLOPT_XFERINFODATA) | BIT(CURLOPT_NOPROGRESS)
        | BIT(CURLOPT_HTTP_TRANSFER_DECODING);
    return noted & BIT(option) ? wwt_easy_setopt_noted(library, easy, option, argument)
                               : library->next.easy_setopt(easy, option, argument);
#undef BIT
}

#endif
