// Which of the functions that libcurl calls are hooked.
#ifndef WWT_HOOKED_DEPENDENCIES_H
#define WWT_HOOKED_DEPENDENCIES_H

#include "dependencies.h"

/// The place of each function in `wwt_dependencies`.
enum {
#define PLACE(name) WWT_PLACE_##name,
    WWT_EACH_DEPENDENCY(PLACE)
#undef PLACE
    WWT_PLACES,
};

/// The place of a function; -1 if the tap hooks none of that name.
int wwt_dependency_place(const char *name);
/// Sets the function that the hook for `name` calls, if its caller's slot names a better one than the look-up found.
void wwt_dependency_set_next(int library, const char *name, void *function);
/// Records that this hook is in place. Counting starts only when all hooks that it needs are.
void wwt_dependency_hooked(int library, const char *name);
/// Records that no hook is in place any more.
void wwt_dependency_unhooked(void);
bool wwt_dependency_follows_http2(int library);
bool wwt_dependency_follows_tls(int library);
/// The function of a TLS library that a hook of this thread has called last; NULL if none has.
extern __thread const void *wwt_called_tls;
/// Whether the tap sees before libcurl sends over a socket.
bool wwt_dependency_follows_sends(int library);
/// Whether the tap sees before libcurl waits.
bool wwt_dependency_follows_waits(int library);

#endif
