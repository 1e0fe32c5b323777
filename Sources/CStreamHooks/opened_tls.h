// OpenSSLs that a program opens by itself, and whose functions it looks up by name.
#ifndef WIREWEIGHT_OPENED_TLS_H
#define WIREWEIGHT_OPENED_TLS_H

/// What a program gets that looks up that name in what it has opened, if that is a hooked function of a TLS library; NULL if
/// it gets what there is of that name.
void *wireweight_opened_hook(void *handle, const char *name);

#endif
