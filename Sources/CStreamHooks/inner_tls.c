// Programs that have OpenSSL or BoringSSL inside their executable call it without the linker. Its functions are found by
// their names, among those that the executable exports or in its symbol table, and get detours before `main` begins.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detour.h"
#include "inner_tls.h"
#include "libraries.h"
#include "own_code.h"
#include "tls_functions.h"

/// Two libraries can be inside one executable: one by its own names, one by those that Swift's NIOSSL gives it.
#define EACH_LIBRARY(X, ...) X(0 __VA_OPT__(,) __VA_ARGS__) X(1 __VA_OPT__(,) __VA_ARGS__)
static const char *const prefixes[] = {"", "CNIOBoringSSL_"};
enum { LIBRARIES = sizeof prefixes / sizeof *prefixes };
static tls inner[LIBRARIES];

// MARK: hooks

EACH_LIBRARY(NUMBERED_HOOKS, inner)

/// Of the functions in `EACH_NUMBERED_HOOK`: without these, the first ones, some plaintext would be missed, or one session be
/// taken for another. The last one is short, and may be one that cannot be moved; the others do without it.
enum { NEEDED = 3 };

// MARK: what an executable has

/// A function by name, and where its address goes.
typedef struct wanted {
    const char *name;
    void **address;
} wanted;

#define ONE(name) +1
enum { MOST_WANTED = 0 EACH_NUMBERED_HOOK(ONE) EACH_QUESTION(ONE) WWT_EACH_TLS_WORD(ONE) };
#undef ONE
typedef struct search {
    wanted wanted[MOST_WANTED];
    size_t count;
    const char *prefix;
    bool is_ambiguous;              // there are several functions of one name
    bool is_found;                  // among what the executable exports
    uintptr_t base, code, code_end; // of the executable
} search;

/// The executable is the first of the loaded objects.
static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    search *search = context;
    search->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & (PF_X | PF_R)) != (PF_X | PF_R)) continue;
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (!search->code || begin < search->code) search->code = begin;
        if (begin + header->p_memsz > search->code_end) search->code_end = begin + header->p_memsz;
    }
    return 1;
}

static bool is_code(const search *search, uintptr_t address) {
    return address >= search->code && address < search->code_end;
}

/// Whether that is the function itself, not the stub by which an executable calls another object's.
static bool is_defined(const search *search, void *function) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    return is_code(search, (uintptr_t)function) && dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol
        && symbol->st_shndx != SHN_UNDEF;
}

static void find_exported(search *search) {
    char name[64];
    for (size_t i = 0; i < search->count; i++) {
        strcpy(name, search->prefix);
        strcat(name, search->wanted[i].name);
        void *function = wwt_look_up(RTLD_DEFAULT, name);
        // The first one says whether there is a library at all.
        if (i == 0 && (!function || !is_defined(search, function))) return;
        if (function && is_code(search, (uintptr_t)function)) *search->wanted[i].address = function;
    }
    search->is_found = true;
}

static void take_symbol(search *search, const char *name, uintptr_t value) {
    size_t prefix = strlen(search->prefix);
    if (search->is_found || strncmp(name, search->prefix, prefix) != 0) return;
    uintptr_t address = search->base + value;
    for (size_t i = 0; i < search->count; i++) {
        if (strcmp(name + prefix, search->wanted[i].name) != 0 || !is_code(search, address)) continue;
        void **known = search->wanted[i].address;
        // Of two copies of a library, the sessions of one are nothing to the other.
        search->is_ambiguous |= *known && *known != (void *)address;
        *known = (void *)address;
    }
}

static void find_in_table(search *searches, const ElfW(Sym) *symbols, size_t count, const char *names, size_t size) {
    for (size_t i = 0; i < count; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
        if (size < 4 || symbol->st_name > size - 4) continue;
        const char *name = names + symbol->st_name;
        // A program may have a hundred thousand names, and most are seen here for the last time.
        if (memcmp(name, "SSL_", 4) != 0 && memcmp(name, "CNIO", 4) != 0) continue;
        for (int k = 0; k < LIBRARIES; k++) take_symbol(&searches[k], name, symbol->st_value);
    }
}

/// The symbol table of a file. Whatever its bytes are, nothing outside of it is read.
static void find_in_file(search *searches, const uint8_t *file, size_t size) {
    const ElfW(Ehdr) *header = (const void *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0
        || header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff > size || header->e_shoff % 8
        || header->e_shnum > (size - header->e_shoff) / sizeof(ElfW(Shdr))) {
        return;
    }
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        const ElfW(Shdr) *table = &sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum || table->sh_offset % 8) continue;
        const ElfW(Shdr) *strings = &sections[table->sh_link];
        if (table->sh_offset > size || table->sh_size > size - table->sh_offset || strings->sh_offset > size
            || strings->sh_size > size - strings->sh_offset || !strings->sh_size) {
            continue;
        }
        const char *names = (const char *)file + strings->sh_offset;
        if (names[strings->sh_size - 1] != '\0') continue;
        find_in_table(
            searches, (const void *)(file + table->sh_offset), table->sh_size / sizeof(ElfW(Sym)), names, strings->sh_size);
    }
}

static void find_in_executable(search *searches) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0) return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        uint8_t *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            find_in_file(searches, bytes, (size_t)status.st_size);
            munmap(bytes, (size_t)status.st_size);
        }
    }
    close(file);
}

// MARK: detours

/// The functions of one library, in the order of `EACH_NUMBERED_HOOK`: where they are, and where their originals go.
typedef struct hooked {
    void *functions[WIREWEIGHT_MOST_DETOURS];
    void **originals[WIREWEIGHT_MOST_DETOURS];
    int count;
} hooked;

static void want(search *search, hooked *hooked, tls *library) {
#define HOOKED(name) \
    hooked->originals[hooked->count] = (void **)&library->next.name; \
    search->wanted[search->count++] = (wanted){#name, &hooked->functions[hooked->count++]};
    EACH_NUMBERED_HOOK(HOOKED)
#undef HOOKED
#define ASKED(name) search->wanted[search->count++] = (wanted){#name, (void **)&library->asked.name};
    EACH_QUESTION(ASKED)
#undef ASKED
#define ASKED(name) search->wanted[search->count++] = (wanted){#name, (void **)&library->words.name};
    WWT_EACH_TLS_WORD(ASKED)
#undef ASKED
    library->asked.words = &library->words;
}

static bool hook(const hooked *hooked, void *const hooks[], tls *library) {
    for (int i = 0; i < NEEDED; i++) {
        if (!hooked->functions[i]) return false;
    }
    detour detours[WIREWEIGHT_MOST_DETOURS];
    size_t count = 0;
    for (int i = 0; i < hooked->count; i++) {
        if (!hooked->functions[i]) continue;
        bool is_last = i == hooked->count - 1;
        detours[count++] = (detour){hooked->functions[i], hooks[i], hooked->originals[i], is_last};
    }
    // Of a library some of whose functions could not be hooked, no session is tied to a connection.
    bool is_hooked = wireweight_make_detours(detours, count);
    if (!is_hooked) library->asked = (wws_tls_library){.words = &library->words};
    library->asked.is_silent = is_hooked && !library->asked.SSL_get_client_random;
    return is_hooked;
}

static bool is_any_left;

bool wireweight_left_inner_tls(void) { return is_any_left; }

bool wireweight_hook_inner_tls(void) {
    search searches[LIBRARIES] = {0};
    hooked found[LIBRARIES] = {0};
    bool is_all_found = true, is_any_hooked = false;
    for (int i = 0; i < LIBRARIES; i++) {
        searches[i].prefix = prefixes[i];
        want(&searches[i], &found[i], &inner[i]);
        dl_iterate_phdr(find_code, &searches[i]);
        if (!searches[i].code) return false;
        find_exported(&searches[i]);
        is_all_found &= searches[i].is_found;
    }
    if (!is_all_found) find_in_executable(searches);
#define HOOK_LIBRARY(number) { \
        void *const hooks[] = {NUMBERED_HOOK_TABLE(number)}; \
        bool is_hooked = !searches[number].is_ambiguous && hook(&found[number], hooks, &inner[number]); \
        is_any_hooked |= is_hooked; \
        is_any_left |= !is_hooked && found[number].functions[0]; \
    }
    EACH_LIBRARY(HOOK_LIBRARY)
#undef HOOK_LIBRARY
    return is_any_hooked;
}

#endif
