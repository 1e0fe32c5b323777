// Hooks the objects that call libcurl through the dynamic linker's slots, in a process that is already running. Each
// loaded object has a table of the addresses of the functions that it calls elsewhere. The tap changes that table.
// The preloaded library has hooks of its own for objects that bypass what it exports.

#include "linker_slots.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dependency_hooks.h"
#include "fork_lock.h"
#include "hooked_dependencies.h"
#include "libraries.h"
#include "program_hooks.h"
#include "relro.h"
#include "watching.h"

// The relocations that fill a slot with a function's address.
#if defined(__x86_64__)
#define JUMP_SLOT R_X86_64_JUMP_SLOT
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#else
#define JUMP_SLOT R_AARCH64_JUMP_SLOT
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#endif

typedef struct slot {
    void **address;
    void *before;
    void *hook;
    uintptr_t base; // of the object; when that is unloaded, the slot is gone
    bool is_other;  // its hook is one of other functions than libcurl's
} slot;

static slot *patched;
static size_t patched_count, patched_capacity;
static unsigned long long objects_seen;
static bool is_short; // there was no memory for all slots, so the next refresh looks for them again
static wwt_fork_lock patching = WWT_FORK_LOCK;

void wwt_lock_slots(void) { wwt_lock(&patching); }

void wwt_unlock_slots(void) { wwt_unlock(&patching); }

/// Writes a slot, even if the linker has made it read-only after start-up.
static bool write_slot(void **address, void *value, uintptr_t relro_start, uintptr_t relro_end) {
    uintptr_t place = (uintptr_t)address;
    bool read_only = place >= relro_start && place < relro_end;
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)(place & ~(page_size - 1));
    if (read_only && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(address, value, __ATOMIC_RELEASE);
    if (read_only) mprotect(page, page_size, PROT_READ);
    return true;
}

typedef struct object {
    uintptr_t base, end, relro_start, relro_end;
    const ElfW(Sym) *symbols;
    const char *strings;
    int library;     // the number of the libcurl that it calls, or is
    bool is_libcurl;
    bool calls_libcurl; // or is it
    bool is_new;        // for the hooks of other functions than libcurl's
} object;

/// The objects that have the hooks of other functions already, until one of them may be gone.
static uintptr_t *examined;
static size_t examined_count, examined_capacity;
static unsigned long long unloaded;

static bool examine(const struct dl_phdr_info *info) {
    if (!__atomic_load_n(&wwt_other_hook, __ATOMIC_ACQUIRE)) return false;
    if (info->dlpi_subs != unloaded) examined_count = 0;
    unloaded = info->dlpi_subs;
    for (size_t i = 0; i < examined_count; i++) {
        if (examined[i] == info->dlpi_addr) return false;
    }
    if (examined_count == examined_capacity) {
        size_t capacity = examined_capacity ? examined_capacity * 2 : 64;
        uintptr_t *more = realloc(examined, capacity * sizeof *more);
        if (!more) return true;
        examined = more;
        examined_capacity = capacity;
    }
    examined[examined_count++] = info->dlpi_addr;
    return true;
}

/// False if there is no memory; the tap could not restore a slot that it does not remember.
static bool remember_slot(slot made) {
    for (size_t i = 0; i < patched_count; i++) {
        if (patched[i].address != made.address) continue;
        // The entry is of an object that is gone, or of a slot that the linker has resolved anew.
        patched[i] = made;
        return true;
    }
    if (patched_count == patched_capacity) {
        size_t capacity = patched_capacity ? patched_capacity * 2 : 64;
        slot *more = realloc(patched, capacity * sizeof *more);
        if (!more) return false;
        patched = more;
        patched_capacity = capacity;
    }
    patched[patched_count++] = made;
    return true;
}

/// The hook for a function that an object calls by that name; NULL for none. `is_own`: libcurl calls itself.
static void *hook_of(const object *object, const char *name, bool is_own) {
    if (is_own) return wwt_own_hook_for(wwt_library_number(object->library), name);
    if (object->is_libcurl) return wwt_dependency_hook(object->library, name);
    return strncmp(name, "curl_", 5) == 0 ? wwt_hook_for(wwt_library_number(object->library), name) : NULL;
}

/// Writes a hook into a slot; false if that did not go.
static bool put_hook(const object *object, slot made) {
    if (!write_slot(made.address, made.hook, object->relro_start, object->relro_end)) return false;
    if (remember_slot(made)) return true;
    is_short = true;
    write_slot(made.address, made.before, object->relro_start, object->relro_end);
    return false;
}

/// Whether a slot has a function of another object. Neither this nor anything else here asks the linker: a thread that
/// loads an object holds the lock of `dladdr` while it waits for the list of objects, which is locked here.
static bool is_elsewhere(const object *object, const void *bound) {
    return bound && ((uintptr_t)bound < object->base || (uintptr_t)bound >= object->end);
}

static void patch_slot(const object *object, void **address, const char *name, bool is_own) {
    void *hook = hook_of(object, name, is_own), *before = *address;
    if (!hook) return;
    if (before != hook) {
        // A bound slot has the function that libcurl really calls. An unbound one points back into libcurl.
        if (object->is_libcurl && is_elsewhere(object, before) && !(wwt_is_preloads && wwt_is_preloads(before))) {
            wwt_dependency_set_next(object->library, name, before);
        }
        if (!put_hook(object, (slot){address, before, hook, object->base, false})) return;
    }
    if (object->is_libcurl) wwt_dependency_hooked(object->library, name);
}

static void patch_other(const object *object, void **address, const char *name) {
    void *bound = *address;
    void *hook = bound ? wwt_other_hook(name, is_elsewhere(object, bound) ? bound : NULL) : NULL;
    // Of an object that has the hooks itself, a slot that is hooked looks like one that is not bound yet.
    if (hook && hook != bound) put_hook(object, (slot){address, bound, hook, object->base, true});
}

static void patch_table(const object *object, const ElfW(Rela) *entries, size_t size) {
    for (size_t i = 0; i < size / sizeof *entries; i++) {
        const ElfW(Rela) *entry = &entries[i];
        if (!IS_SLOT(ELF64_R_TYPE(entry->r_info)) || entry->r_addend != 0) continue;
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(entry->r_info)];
        // libcurl calls its own functions through slots as well.
        bool is_own = symbol->st_shndx != SHN_UNDEF;
        if (is_own && (!object->is_libcurl || ELF64_R_TYPE(entry->r_info) != JUMP_SLOT)) continue;
        void **address = (void **)(object->base + entry->r_offset);
        const char *name = object->strings + symbol->st_name;
        if (object->is_new) patch_other(object, address, name);
        if (object->calls_libcurl) patch_slot(object, address, name, is_own);
    }
}

static int patch_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    // Of the calls that libcurl makes to itself, only those for resolving names are hooked. Its calls to the libraries
    // that it uses are all hooked.
    wwt_library *own = wwt_library_at(info->dlpi_addr);
    object object = {.base = info->dlpi_addr, .is_libcurl = own != NULL};
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t end = info->dlpi_addr + header->p_vaddr + header->p_memsz;
        if (header->p_type == PT_LOAD && end > object.end) object.end = end;
        if (header->p_type == PT_DYNAMIC) dynamic = (const void *)(info->dlpi_addr + header->p_vaddr);
    }
    wwt_find_relro(info, &object.relro_start, &object.relro_end);
    if (!dynamic) return 0;
    const ElfW(Dyn) *first = dynamic;
    const ElfW(Rela) *jumps = NULL, *others = NULL;
    size_t jumps_size = 0, others_size = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB: object.symbols = (const void *)dynamic->d_un.d_ptr; break;
        case DT_STRTAB: object.strings = (const void *)dynamic->d_un.d_ptr; break;
        case DT_JMPREL: jumps = (const void *)dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: jumps_size = dynamic->d_un.d_val; break;
        case DT_RELA: others = (const void *)dynamic->d_un.d_ptr; break;
        case DT_RELASZ: others_size = dynamic->d_un.d_val; break;
        default: break;
        }
    }
    // The kernel's vDSO has addresses that are not relocated, and calls no other object.
    if (!object.symbols || !object.strings || (uintptr_t)object.strings < object.base) return 0;
    if (!jumps && !others) return 0;
    const wwt_library *library = own ? own : wwt_library_needed(info->dlpi_addr, first);
    object.calls_libcurl = library && library->is_known;
    if (object.calls_libcurl) object.library = wwt_number_of(library);
    bool is_preloads = wwt_is_preloads && wwt_is_preloads((void *)info->dlpi_addr);
    // libcurl's connections are the other tap's, also where it will know that libcurl only later.
    bool is_other_taps = own ? own->is_known : wwt_is_called_libcurl(info->dlpi_name);
    object.is_new = !is_other_taps && !is_preloads && examine(info);
    if (!object.calls_libcurl && !object.is_new) return 0;
    if (jumps) patch_table(&object, jumps, jumps_size);
    if (others) patch_table(&object, others, others_size);
    return 0;
}

/// Whether the slot is in this object. Another object may have been loaded at the address of the slot's object.
static bool is_in(const struct dl_phdr_info *info, const slot *slot) {
    if (slot->base != info->dlpi_addr) return false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t offset = (uintptr_t)slot->address - info->dlpi_addr - header->p_vaddr;
        if (header->p_type == PT_LOAD && offset < header->p_memsz) return true;
    }
    return false;
}

/// Marks the slots whose objects are still loaded; the memory of the others may be anything by now.
static int mark_loaded(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    bool *loaded = context;
    for (size_t i = 0; i < patched_count; i++) {
        if (is_in(info, &patched[i])) loaded[i] = true;
    }
    return 0;
}

static int restore_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t relro_start, relro_end;
    wwt_find_relro(info, &relro_start, &relro_end);
    for (size_t i = 0; i < patched_count; i++) {
        // If another tool has changed the slot after us, its hook stays.
        if (is_in(info, &patched[i]) && *patched[i].address == patched[i].hook) {
            write_slot(patched[i].address, patched[i].before, relro_start, relro_end);
        }
    }
    return 0;
}

void wwt_unhook_slots(void) {
    wwt_lock(&patching);
    if (!wwt_tap_enabled() && wwt_running() == 0) {
        dl_iterate_phdr(restore_object, NULL);
        wwt_dependency_unhooked();
        patched_count = 0;
        examined_count = 0;
        objects_seen = 0;
    }
    wwt_unlock(&patching);
}

/// Takes the lock; if it must not wait, only when the lock is free.
static bool take(bool may_wait) {
    if (!may_wait) return wwt_try_lock(&patching);
    wwt_lock(&patching);
    return true;
}

static void refresh(bool may_wait) {
    if (!wwt_tap_enabled()) return;
    // Read the lists of objects only under locks that a fork waits for: a child made meanwhile could never read them
    // again.
    if (!take(may_wait)) return;
    unsigned long long objects = wwt_count_objects();
    bool is_news = objects != objects_seen;
    wwt_unlock(&patching);
    if (!is_news) return;
    // Without the lock, because this waits for the dynamic linker.
    wwt_find_libraries();
    if (!take(may_wait)) return;
    // Check again: if another thread has stopped the tap meanwhile, it has removed the hooks.
    if (wwt_tap_enabled()) {
        size_t before = patched_count;
        bool *loaded = calloc(before + 1, sizeof *loaded);
        is_short = !loaded;
        if (loaded) {
            dl_iterate_phdr(mark_loaded, loaded);
            size_t kept = 0;
            for (size_t i = 0; i < before; i++) {
                if (loaded[i]) patched[kept++] = patched[i];
            }
            patched_count = kept;
            free(loaded);
            dl_iterate_phdr(patch_object, NULL);
            wwt_show_libraries();
        }
        objects_seen = is_short ? 0 : objects;
    }
    wwt_unlock(&patching);
}

void wwt_refresh(void) { refresh(true); }

void wwt_refresh_if_free(void) { refresh(false); }

void wwt_hook_slots(void *(*other)(const char *, const void *)) {
    wwt_lock(&patching);
    wwt_other_hook = other;
    objects_seen = 0;
    wwt_unlock(&patching);
    wwt_refresh();
}

uint32_t wwt_hooked_slots(void) {
    wwt_lock(&patching);
    uint32_t count = 0;
    for (size_t i = 0; i < patched_count; i++) count += !patched[i].is_other && wwt_library_at(patched[i].base) == NULL;
    wwt_unlock(&patching);
    return count;
}

uint32_t wwt_other_slots(void) {
    wwt_lock(&patching);
    uint32_t count = 0;
    for (size_t i = 0; i < patched_count; i++) count += patched[i].is_other;
    wwt_unlock(&patching);
    return count;
}

#else

void wwt_refresh(void) {}
void wwt_refresh_if_free(void) {}
void wwt_hook_slots(void *(*other)(const char *, const void *)) { (void)other; }
void wwt_unhook_slots(void) {}
void wwt_lock_slots(void) {}
void wwt_unlock_slots(void) {}
uint32_t wwt_hooked_slots(void) { return 0; }
uint32_t wwt_other_slots(void) { return 0; }

#endif
