// What happens when a program calls libcurl. The call is caught by hooked slots (linker_slots.c) or by exported names
// (the preloaded library). Both pass it on with the library that it was meant for.
#ifndef WWT_CURL_CALLS_H
#define WWT_CURL_CALLS_H

#include "curl_abi.h"

CURL *wwt_easy_init(wwt_library *library);
void wwt_easy_cleanup(wwt_library *library, CURL *easy);
void wwt_easy_reset(wwt_library *library, CURL *easy);
CURL *wwt_easy_duphandle(wwt_library *library, CURL *easy);
CURLcode wwt_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
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

#endif
