// Finds the libcurls of this process, and the one that an object calls.

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__)
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "CCurlTap.h"
#include "fork_lock.h"
#include "libraries.h"

wwt_library wwt_libraries[MOST_LIBRARIES];
static int library_count;
static wwt_fork_lock finding = WWT_FORK_LOCK;
/// The count of loaded and unloaded objects when the tap last looked at all of them.
static unsigned long long objects_seen;

/// The first version that reports times in microseconds, and the first major version whose debug function is not known
/// to show the bytes of the wire.
#define OLDEST_KNOWN 0x073d00u
#define FIRST_UNKNOWN 0x090000u
/// 7.64.1 takes verbose mode from a transfer for the handle with which it closes connections, but not the debug function. So
/// the program's standard error would get a line for each connection that is closed.
#define TALKATIVE 0x074001u

static bool knows(uint32_t version) {
    return version >= OLDEST_KNOWN && version < FIRST_UNKNOWN && version != TALKATIVE;
}

bool wwt_leaves_libcurl;
void *(*wwt_look_up)(void *, const char *);
bool (*wwt_is_preloads)(const void *);
void *(*wwt_other_hook)(const char *, const void *);

static void *look_up(void *handle, const char *name) {
    return wwt_look_up ? wwt_look_up(handle, name) : dlsym(handle, name);
}

bool wwt_is_called_libcurl(const char *path) {
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    // libcurl.so.4, libcurl-gnutls.so.4; a Python wheel brings libcurl-1a2b3c4d.so.4. `learn` checks its symbols.
    return strncmp(name, "libcurl", 7) == 0;
}

/// The function that libcurl calls by that name: the one that it was linked against, unless another object interposes
/// the function for the whole process. A second version of the same library in the process interposes nothing.
static void *look_up_dependency(void *handle, const char *name) {
    static const char *const families[] = {"libnghttp2", "libssl", "libgnutls", "libc."};
    void *own = look_up(handle, name), *first = look_up(RTLD_DEFAULT, name);
    Dl_info info;
    if (wwt_is_preloads && wwt_is_preloads(first)) first = look_up(RTLD_NEXT, name);
    if (!own || !first || own == first || !dladdr(first, &info) || !info.dli_fname) return own;
    const char *file = strrchr(info.dli_fname, '/');
    file = file ? file + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strncmp(file, families[i], strlen(families[i])) == 0) return own;
    }
    return first;
}

enum learned { LEARNED, NO_LIBCURL, NOT_NOW };

static enum learned learn(wwt_library *library, const char *path, uintptr_t base) {
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return NOT_NOW;
#define FIND(name) \
    *(void **)&library->next.name = look_up(handle, "curl_" #name); \
    if (!library->next.name) goto other;
    WWT_EACH_FUNCTION(FIND)
#undef FIND
    *(void **)&library->easy_getinfo = look_up(handle, "curl_easy_getinfo");
    *(void **)&library->easy_strerror = look_up(handle, "curl_easy_strerror");
#define FIND_DEPENDENCY(name) *(void **)&library->dependencies.name = look_up_dependency(handle, #name);
    WWT_EACH_DEPENDENCY(FIND_DEPENDENCY)
#undef FIND_DEPENDENCY
#define FIND_WORD(name) *(void **)&library->words.name = look_up(handle, #name);
    WWT_EACH_TLS_WORD(FIND_WORD)
#undef FIND_WORD
    // https://curl.se/libcurl/c/curl_version_info.html: the first members have never moved. (curl_version reports more,
    // but makes the LDAP library initialise itself, which the program may not want.)
    struct info {
        int age;
        const char *version;
        unsigned int version_num;
        const char *host;
        int features;
        const char *ssl_version;
    };
    const struct info *(*version_info)(int);
    *(void **)&version_info = look_up(handle, "curl_version_info");
    if (!library->easy_getinfo || !library->easy_strerror || !version_info) goto other;
    const struct info *info = version_info(0);
    if (!info) goto other;
    library->version_number = info->version_num;
    library->features = (uint32_t)info->features;
    snprintf(
        library->version, sizeof library->version, "libcurl/%s %s", info->version,
        info->ssl_version ? info->ssl_version : "without TLS");
    library->is_known = knows(info->version_num) && !wwt_leaves_libcurl;
    const char *name = strrchr(path, '/');
    snprintf(library->soname, sizeof library->soname, "%s", name ? name + 1 : path);
    library->base = base;
    // The handle stays open: if the library were unloaded, our pointers into it would dangle.
    return LEARNED;
other:
    dlclose(handle);
    return NO_LIBCURL;
}

struct found {
    char path[MOST_LIBRARIES * 2][512];
    uintptr_t base[MOST_LIBRARIES * 2];
    int count;
};

static int collect(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct found *found = context;
    if (info->dlpi_name && wwt_is_called_libcurl(info->dlpi_name) && found->count < MOST_LIBRARIES * 2) {
        snprintf(found->path[found->count], sizeof found->path[0], "%s", info->dlpi_name);
        found->base[found->count++] = info->dlpi_addr;
    }
    return 0;
}

static void find_all(struct found *found) {
    found->count = 0;
    wwt_lock(&finding); // forks wait for it
    dl_iterate_phdr(collect, found);
    wwt_unlock(&finding);
}

static int count_objects(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds + info->dlpi_subs;
    return 1;
}

unsigned long long wwt_count_objects(void) {
    unsigned long long objects = 0;
    dl_iterate_phdr(count_objects, &objects);
    return objects;
}

bool wwt_sees_libcurl(void) {
    struct found found;
    find_all(&found);
    return found.count > 0;
}

void wwt_lock_libraries(void) { wwt_lock(&finding); }

void wwt_unlock_libraries(void) { wwt_unlock(&finding); }

int wwt_find_libraries(void) {
    // The functions called here may look up names themselves, and so enter this function again.
    static __thread bool is_inside;
    if (is_inside) return __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
    is_inside = true;
    wwt_lock(&finding); // forks wait for it
    unsigned long long objects = wwt_count_objects();
    bool is_news = objects != objects_seen;
    wwt_unlock(&finding);
    struct found found; // too large to be cleared each time
    found.count = 0;
    if (is_news) find_all(&found);
    bool is_done = true;
    for (int i = 0; i < found.count; i++) {
        if (wwt_library_at(found.base[i])) continue;
        // Without the lock, because this takes the dynamic linker's lock, and the thread that holds that may wait for
        // ours.
        wwt_library library = {0};
        enum learned learned = learn(&library, found.path[i], found.base[i]);
        if (learned == NOT_NOW) is_done = false;
        if (learned != LEARNED) continue;
        wwt_lock(&finding);
        if (library_count < MOST_LIBRARIES && !wwt_library_at(found.base[i])) {
            wwt_libraries[library_count] = library;
            __atomic_store_n(&library_count, library_count + 1, __ATOMIC_RELEASE);
        }
        wwt_unlock(&finding);
    }
    if (is_news && is_done) {
        wwt_lock(&finding);
        objects_seen = objects;
        wwt_unlock(&finding);
    }
    is_inside = false;
    return __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
}

wwt_library *wwt_library_number(int index) {
    return index < __atomic_load_n(&library_count, __ATOMIC_ACQUIRE) ? &wwt_libraries[index] : NULL;
}

wwt_library *wwt_library_at(uintptr_t base) {
    int count = __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++) {
        if (wwt_libraries[i].base == base) return &wwt_libraries[i];
    }
    return NULL;
}

int wwt_number_of(const wwt_library *library) { return (int)(library - wwt_libraries); }

wwt_library *wwt_library_needed(uintptr_t base, const void *dynamic) {
    int count = __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
    if (count < 2) return wwt_library_number(0);
    wwt_library *own = wwt_library_at(base);
    if (own) return own;
    const char *strings = NULL;
    for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
    }
    for (const ElfW(Dyn) *entry = dynamic; strings && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != DT_NEEDED || !wwt_is_called_libcurl(strings + entry->d_un.d_val)) continue;
        for (int i = 0; i < count; i++) {
            // The file's name may have more of the version than the needed name: libcurl.so.4.8.0 for libcurl.so.4.
            const char *needed = strings + entry->d_un.d_val;
            if (strncmp(wwt_libraries[i].soname, needed, strlen(needed)) == 0) return &wwt_libraries[i];
        }
    }
    return &wwt_libraries[0];
}

wwt_library *wwt_library_for(const void *address) {
    int count = __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
    if (count == 0) count = wwt_find_libraries();
    if (count < 2) return wwt_library_number(0);
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return &wwt_libraries[0];
    return wwt_library_needed(map->l_addr, map->l_ld);
}

#if defined(__aarch64__)

/// Makes each running thread of the process pass a memory barrier, in microseconds. False if the kernel is older than
/// Linux 4.14, or if the program's seccomp filter forbids the call.
static bool pass_barriers(void) {
    int before = errno;
    bool is_done = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0
        && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
    errno = before;
    return is_done;
}

void wwt_show_libraries(void) {
    int count = __atomic_load_n(&library_count, __ATOMIC_ACQUIRE);
    bool is_news = false;
    for (int i = 0; i < count; i++) is_news |= !__atomic_load_n(&wwt_libraries[i].is_seen, __ATOMIC_RELAXED);
    // Without barriers, each hook goes on to make a fence of its own.
    if (!is_news || !pass_barriers()) return;
    for (int i = 0; i < count; i++) __atomic_store_n(&wwt_libraries[i].is_seen, true, __ATOMIC_RELAXED);
}

#else

void wwt_show_libraries(void) {}

#endif

const char *wwt_libcurl_version(void) {
    if (wwt_find_libraries() == 0) return "";
    return wwt_libraries[0].version;
}

#else

#include "CCurlTap.h"

const char *wwt_libcurl_version(void) { return ""; }

#endif
