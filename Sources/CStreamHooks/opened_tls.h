// OpenSSLs that a program opens by itself, and whose functions it looks up by name.
#ifndef WIREWEIGHT_OPENED_TLS_H
#define WIREWEIGHT_OPENED_TLS_H

/// What a program gets that looks up that name in what it has opened: the hook, if `function` is what there is of that name
/// and belongs to a TLS library; `function` itself if not.
void *wireweight_opened_function(void *handle, const char *name, void *function);

#endif
