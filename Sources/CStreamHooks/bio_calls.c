// A program may use a session of OpenSSL by a BIO, as those of BIO_new_ssl_connect do, alone or under other BIOs. OpenSSL calls
// none of its exported functions then: what a BIO of a session does is in the table of functions (BIO_METHOD) of its library,
// where ours are put as soon as the program makes the first one.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CStreamTap.h"
#include "relro.h"
#include "tls_functions.h"

#define EACH_BIO_LIBRARY(X) X(0) X(1) X(2) X(3)
enum { MOST_LIBRARIES = 4, METHOD_SIZE = 112 };
/// Of openssl/bio.h.
enum { DO_STATE_MACHINE = 101, SET_SSL = 109, GET_SSL = 110 };

/// Those of a table that are hooked.
typedef struct bio_functions {
    bio_read *read;
    bio_write *write;
    bio_control *control;
    bio_destroy *destroy;
} bio_functions;

/// A library, and its table.
typedef struct hooked_bios {
    const tls *library;
    enum { AS_IT_WAS, HOOKED, REFUSED } state; // of the table
    bio_functions before;
} hooked_bios;

static hooked_bios all[MOST_LIBRARIES]; // under the lock of sessions
static int all_count;                   // may be read without it

// MARK: hooks

/// The session of a BIO; NULL if it has none yet.
static void *session_of(const hooked_bios *hooked, void *bio) {
    void *session = NULL;
    // Not by BIO_ctrl, whose call a callback of the program's would see.
    return hooked->before.control(bio, GET_SSL, 0, &session) ? session : NULL;
}

static int do_read(const hooked_bios *hooked, void *bio, char *bytes, size_t count, size_t *taken) {
    void *session = session_of(hooked, bio);
    if (!session) return hooked->before.read(bio, bytes, count, taken);
    call call = receives(hooked->library, session);
    int result = hooked->before.read(bio, bytes, count, taken);
    received(&call, session, bytes, result > 0 ? (ssize_t)*taken : -1);
    return result;
}

static int do_write(const hooked_bios *hooked, void *bio, const char *bytes, size_t count, size_t *taken) {
    void *session = session_of(hooked, bio);
    if (!session) return hooked->before.write(bio, bytes, count, taken);
    call call = sends(hooked->library, session);
    int result = hooked->before.write(bio, bytes, count, taken);
    sent(&call, session, bytes, result > 0 ? (ssize_t)*taken : -1);
    return result;
}

/// Whether a BIO frees its session when it is freed.
static bool is_owner(const hooked_bios *hooked, void *bio) { return hooked->library->next.BIO_get_shutdown(bio) != 0; }

static long do_control(const hooked_bios *hooked, void *bio, int command, long number, void *pointer) {
    void *session = command == DO_STATE_MACHINE || command == SET_SSL ? session_of(hooked, bio) : NULL;
    if (session && command == DO_STATE_MACHINE) {
        call call = receives(hooked->library, session);
        long result = hooked->before.control(bio, command, number, pointer);
        shaken(&call, session, (int)result, result == 1);
        return result;
    }
    if (session && is_owner(hooked, bio)) wws_tls_freed(session);
    return hooked->before.control(bio, command, number, pointer);
}

static int do_destroy(const hooked_bios *hooked, void *bio) {
    void *session = bio ? session_of(hooked, bio) : NULL;
    if (session && is_owner(hooked, bio)) wws_tls_freed(session);
    return hooked->before.destroy(bio);
}

#define HOOKS(number) \
    static int read_##number(void *bio, char *bytes, size_t count, size_t *taken) { \
        return do_read(&all[number], bio, bytes, count, taken); \
    } \
    static int write_##number(void *bio, const char *bytes, size_t count, size_t *taken) { \
        return do_write(&all[number], bio, bytes, count, taken); \
    } \
    static long control_##number(void *bio, int command, long value, void *pointer) { \
        return do_control(&all[number], bio, command, value, pointer); \
    } \
    static int destroy_##number(void *bio) { return do_destroy(&all[number], bio); }
EACH_BIO_LIBRARY(HOOKS)
#undef HOOKS

static const bio_functions hooks[MOST_LIBRARIES] = {
#define TABLE(number) {read_##number, write_##number, control_##number, destroy_##number},
    EACH_BIO_LIBRARY(TABLE)
#undef TABLE
};

// MARK: the table of a library

/// Where a table is, and which pages around it the linker has made read-only.
typedef struct table {
    uintptr_t address, read_only, read_only_end;
} table;

static int find_table(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    table *table = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W)) continue;
        if (table->address < begin || table->address + METHOD_SIZE > end) continue;
        wwt_find_relro(info, &table->read_only, &table->read_only_end);
        return 1;
    }
    return 0;
}

/// Makes the pages of a table that are read-only writable, or read-only again.
static bool protect(const table *table, int protection) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = table->address & ~(page - 1);
    uintptr_t end = (table->address + METHOD_SIZE + page - 1) & ~(page - 1);
    if (begin < table->read_only) begin = table->read_only;
    if (end > table->read_only_end) end = table->read_only_end;
    return begin >= end || mprotect((void *)begin, end - begin, protection) == 0;
}

static bool has_all(const tls_functions *next) {
#define IS_THERE(name) && next->name
    return next->BIO_f_ssl EACH_BIO_QUESTION(IS_THERE);
#undef IS_THERE
}

static bio_functions functions_of(const tls_functions *next, const void *method) {
    return (bio_functions){
        next->BIO_meth_get_read_ex(method),
        next->BIO_meth_get_write_ex(method),
        next->BIO_meth_get_ctrl(method),
        next->BIO_meth_get_destroy(method),
    };
}

/// Changes the functions in a table to others. A system may refuse to have it changed.
static bool change(const tls_functions *next, void *method, const bio_functions *to) {
    table table = {.address = (uintptr_t)method};
    if (!dl_iterate_phdr(find_table, &table) || !protect(&table, PROT_READ | PROT_WRITE)) return false;
    next->BIO_meth_set_read_ex(method, to->read);
    next->BIO_meth_set_write_ex(method, to->write);
    next->BIO_meth_set_ctrl(method, to->control);
    next->BIO_meth_set_destroy(method, to->destroy);
    protect(&table, PROT_READ);
    return true;
}

static void *method_of(const tls *library) { return (void *)(uintptr_t)library->next.BIO_f_ssl(); }

/// Puts our functions into the table of a library, if that can be done.
static bool hook(hooked_bios *hooked, const bio_functions *own) {
    const tls_functions *next = &hooked->library->next;
    void *method = has_all(next) ? method_of(hooked->library) : NULL;
    if (!method) return false;
    hooked->before = functions_of(next, method);
    const bio_functions *before = &hooked->before;
    return before->read && before->write && before->control && before->destroy && change(next, method, own);
}

/// The number of a library; -1 if it is not known.
static int number_of(const tls *library, int count) {
    for (int i = 0; i < count; i++) {
        if (all[i].library->mark == library->mark) return i;
    }
    return -1;
}

void wireweight_hook_bios(const tls *library) {
    int number = number_of(library, __atomic_load_n(&all_count, __ATOMIC_ACQUIRE));
    if (!wws_is_on() || (number >= 0 && __atomic_load_n(&all[number].state, __ATOMIC_ACQUIRE) != AS_IT_WAS)) return;
    wws_lock_sessions();
    number = number_of(library, all_count);
    if (number < 0 && all_count < MOST_LIBRARIES) {
        number = all_count;
        all[number].library = library;
        __atomic_store_n(&all_count, number + 1, __ATOMIC_RELEASE);
    }
    if (number >= 0 && all[number].state == AS_IT_WAS) {
        __atomic_store_n(&all[number].state, hook(&all[number], &hooks[number]) ? HOOKED : REFUSED, __ATOMIC_RELEASE);
    }
    wws_unlock_sessions();
}

void wireweight_unhook_bios(void) {
    wws_lock_sessions();
    for (int i = 0; i < all_count; i++) {
        // If something else has changed the table after us, that stays.
        if (all[i].state != HOOKED) continue;
        const tls_functions *next = &all[i].library->next;
        void *method = method_of(all[i].library);
        bio_functions now = functions_of(next, method);
        if (memcmp(&now, &hooks[i], sizeof now) != 0 || !change(next, method, &all[i].before)) continue;
        __atomic_store_n(&all[i].state, AS_IT_WAS, __ATOMIC_RELEASE);
    }
    wws_unlock_sessions();
}

#endif
