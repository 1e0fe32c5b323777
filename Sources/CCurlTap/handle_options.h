// The options of a handle that the tap changes while a transfer runs.
#ifndef WWT_HANDLE_OPTIONS_H
#define WWT_HANDLE_OPTIONS_H

#include "handles.h"

/// Sets the handle's options to our functions, which pass on to the program's.
void wwt_options_take(wwt_library *library, wwt_handle *handle, curl_debug_function debug, void *debug_data);
/// Sets verbose mode, in which libcurl calls the debug function.
void wwt_options_speak(wwt_library *library, wwt_handle *handle);
/// Sets our function that closes sockets, which calls the one that the program has set now.
void wwt_options_take_closer(wwt_library *library, wwt_handle *handle);
/// Makes sure that the program's log gets exactly what it would get without the tap.
void wwt_options_place_log(wwt_library *library, wwt_handle *handle);
/// Sets the handle's options back to the program's values.
void wwt_options_give_back(wwt_library *library, wwt_handle *handle);
/// Whether that file is the one that discards logs.
bool wwt_is_hidden(const void *log);
/// Whether logs can be hidden: the file for it could be opened.
bool wwt_can_hide_logs(void);

#endif
