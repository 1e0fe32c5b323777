// Finds the library that a function is in.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "bound_functions.h"

typedef struct place {
    const void *address;
    const char *file;
} place;

static int find_place(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    place *place = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        if ((uintptr_t)place->address - info->dlpi_addr - header->p_vaddr >= header->p_memsz) continue;
        place->file = info->dlpi_name;
        return 1;
    }
    return 0;
}

// Not by `dladdr`, whose lock a thread that loads an object holds while it waits for the list of objects.
bool wireweight_is_in_library(const void *function, bool is_tls) {
    static const char *const kinds[2][4] = {
        {"libc.so", "libc-2.", "libpthread", "libpthread"}, {"libssl", "libgnutls", "libnspr", "libnss3"}};
    place place = {function, NULL};
    dl_iterate_phdr(find_place, &place);
    const char *file = place.file ? strrchr(place.file, '/') : NULL;
    for (int i = 0; file && i < 4; i++) {
        if (strncmp(file + 1, kinds[is_tls][i], strlen(kinds[is_tls][i])) == 0) return true;
    }
    return false;
}

#endif
