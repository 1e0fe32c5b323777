// The hooks for the functions that libcurl calls in its HTTP/2 and TLS libraries and on sockets.
#ifndef WWT_DEPENDENCY_HOOKS_H
#define WWT_DEPENDENCY_HOOKS_H

/// The hook for the function `name`, for libcurl number `library`; NULL if there is none.
void *wwt_dependency_hook(int library, const char *name);

#endif
