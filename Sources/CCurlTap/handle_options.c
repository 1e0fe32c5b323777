// Sets the options of a handle that the tap changes while a transfer runs, and keeps the program's own values of them.

#ifdef __linux__
#include <pthread.h>
#include <stdio.h>

#include "handle_options.h"
#include "socket_reports.h"

void wwt_options_take(wwt_library *library, wwt_handle *handle, curl_debug_function debug, void *debug_data) {
    CURLcode (*set)(CURL *, CURLoption, ...) = library->next.easy_setopt;
    set(handle->easy, CURLOPT_DEBUGFUNCTION, debug);
    set(handle->easy, CURLOPT_DEBUGDATA, debug_data);
    wwt_options_place_log(library, handle);
    wwt_options_take_closer(library, handle);
}

void wwt_options_speak(wwt_library *library, wwt_handle *handle) {
    library->next.easy_setopt(handle->easy, CURLOPT_VERBOSE, 1L);
}

void wwt_options_take_closer(wwt_library *library, wwt_handle *handle) {
    // The tap does not replace a function that the program may have set before the tap saw the handle.
    if (!wwt_history_is_known(handle) && !handle->closes.function && !handle->closer_placed) return;
    void *closer = wwt_closer_for(handle->closes);
    if (!closer && !handle->closer_placed) return;
    CURLcode (*set)(CURL *, CURLoption, ...) = library->next.easy_setopt;
    handle->closer_placed = closer != NULL;
    set(handle->easy, CURLOPT_CLOSESOCKETFUNCTION, closer ? wwt_close_socket : handle->closes.function);
    set(handle->easy, CURLOPT_CLOSESOCKETDATA, closer ? closer : handle->closes.client);
}

static FILE *nowhere;

static ssize_t write_nowhere(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    (void)bytes;
    return (ssize_t)count;
}

static void open_nowhere(void) {
    // A file without a descriptor, because descriptors belong to the program.
    nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_nowhere});
}

bool wwt_can_hide_logs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_nowhere);
    return nowhere != NULL;
}

bool wwt_is_hidden(const void *log) { return log && log == nowhere; }

void wwt_options_place_log(wwt_library *library, wwt_handle *handle) {
    bool hide = handle->asks_doh && !handle->verbose && wwt_can_hide_logs();
    if (hide == handle->log_hidden) return;
    handle->log_hidden = hide;
    library->next.easy_setopt(handle->easy, CURLOPT_STDERR, hide ? nowhere : handle->log);
}

void wwt_options_give_back(wwt_library *library, wwt_handle *handle) {
    CURLcode (*set)(CURL *, CURLoption, ...) = library->next.easy_setopt;
    set(handle->easy, CURLOPT_VERBOSE, handle->verbose);
    set(handle->easy, CURLOPT_DEBUGFUNCTION, handle->debug);
    set(handle->easy, CURLOPT_DEBUGDATA, handle->debug_data);
    if (handle->log_hidden) set(handle->easy, CURLOPT_STDERR, handle->log);
    handle->log_hidden = false;
    if (!handle->closer_placed) return;
    handle->closer_placed = false;
    set(handle->easy, CURLOPT_CLOSESOCKETFUNCTION, handle->closes.function);
    set(handle->easy, CURLOPT_CLOSESOCKETDATA, handle->closes.client);
}

#endif
