// The options of a handle that the tap changes while a transfer runs.
#ifndef WWT_OPTIONS_H
#define WWT_OPTIONS_H

#include "handle.h"
#include "tap.h"

/// Puts our functions in front of the program's.
void wwt_options_take(wwt_library *library, wwt_handle *handle, curl_debug_function debug, void *debug_data);
/// Puts our function that closes sockets in front of the one that the program has named now.
void wwt_options_take_closer(wwt_library *library, wwt_handle *handle);
/// Sees to it that the program's log has what it would have without us.
void wwt_options_place_log(wwt_library *library, wwt_handle *handle);
/// Sets a handle's options as the program wanted them.
void wwt_options_give_back(wwt_library *library, wwt_handle *handle);
/// Whether that file is the one in which logs are hidden.
bool wwt_is_hidden(const void *log);
/// Whether logs can be hidden.
bool wwt_can_hide_logs(void);

#endif
