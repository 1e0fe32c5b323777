// The pages of a loaded object that the linker has made read-only after start-up.
#ifndef WIREWEIGHT_RELRO_H
#define WIREWEIGHT_RELRO_H

#include <link.h>
#include <stdint.h>
#include <unistd.h>

/// From the page of the first byte up to the last page that is full; both 0 if there are none.
static inline void wwt_find_relro(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    *start = *end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_GNU_RELRO) continue;
        *start = (info->dlpi_addr + header->p_vaddr) & ~(page - 1);
        *end = (info->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(page - 1);
    }
}

#endif
