// The hooks for the functions of libcurl that programs call.
#ifndef WWT_PROGRAM_HOOKS_H
#define WWT_PROGRAM_HOOKS_H

#include "libraries.h"

/// The hook of that name that passes calls on to that library; NULL if there is none.
void *wwt_hook_for(const wwt_library *library, const char *name);
/// The same for a function of that library that it calls itself.
void *wwt_own_hook_for(const wwt_library *library, const char *name);
/// If another object already interposes libcurl for the whole process, our hooks pass calls on to it.
void wwt_respect_interposers(void);

#endif
