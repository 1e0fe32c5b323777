// A program that starts the tap itself, for all its connections: those of its own code, of a library that it loads with
// RTLD_DEEPBIND before and after the start, and of TLS in that library. The servers are processes of their own.
//
// usage: within LIBRARY ROUNDS       the library is deep.c's
#include <arpa/inet.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "taken_frames.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

typedef int (*asking)(const struct sockaddr_in *, int);

static struct sockaddr_in clear, secure;
static taken seen;

// Sanitizers refuse to have a library loaded that would bypass them. What the program itself calls is theirs, not the
// linker's, so with them only the library's calls are seen.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

static void *load(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND), *function = handle ? dlsym(handle, name) : NULL;
    if (!function) exit(69);
    return function;
}

static pid_t serve(const char *library, int is_secure, struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)address, size) != 0 || listen(listener, 64) != 0) exit(71);
    getsockname(listener, (struct sockaddr *)address, &size);
    pid_t child = fork();
    if (child == 0) ((void (*)(int, int))load(library, "serve"))(listener, is_secure);
    close(listener);
    return child;
}

/// The same as the library's, by the slots of the program itself.
static int ask_here(void) {
    static const char request[] = "GET /here HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    char bytes[256];
    int all = 0, got, descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&clear, sizeof clear) != 0) return -1;
    if (send(descriptor, request, sizeof request - 1, 0) != sizeof request - 1) return -1;
    while ((got = (int)read(descriptor, bytes, 11)) > 0) all += got;
    close(descriptor);
    return all;
}

// MARK: slots

/// Adds up what is in all slots for functions.
static int add_slots(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    const ElfW(Rela) *entries[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_JMPREL) entries[0] = (const void *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_PLTRELSZ) sizes[0] = dynamic->d_un.d_val;
        if (dynamic->d_tag == DT_RELA) entries[1] = (const void *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_RELASZ) sizes[1] = dynamic->d_un.d_val;
    }
    for (int table = 0; table < 2; table++) {
        if ((uintptr_t)entries[table] < info->dlpi_addr) continue; // the kernel's object
        for (size_t i = 0; i < sizes[table] / sizeof **entries; i++) {
            const ElfW(Rela) *entry = &entries[table][i];
            if (!ELF64_R_SYM(entry->r_info) || entry->r_addend) continue;
            uintptr_t address = info->dlpi_addr + entry->r_offset;
            *(uint64_t *)context += *(const uintptr_t *)address * (address | 1);
        }
    }
    return 0;
}

static uint64_t slots(void) {
    uint64_t sum = 0;
    dl_iterate_phdr(add_slots, &sum);
    return sum;
}

// MARK: threads

static bool is_over;
static asking ask_library;
static unsigned long asked, failed;

static void *ask_on(void *number) {
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
        int got = number == NULL ? ask_here() : ask_library(number == (void *)1 ? &clear : &secure, number != (void *)1);
        __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
        if (got != 62) __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void *fork_on(void *unused) {
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
        int status;
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, &status, 0);
        usleep(500);
    }
    return unused;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    const char *library = arguments[1];
    int rounds = atoi(arguments[2]);
    pid_t servers[] = {serve(library, 0, &clear), serve(library, 1, &secure)};

    // What is loaded only then has its hooks before it is called.
    printf("start %d\n", start_tap(&seen));
    asking ask = (asking)load(library, "ask");
    printf("%d %d %d\n", ask_here(), ask(&clear, 0), ask(&secure, 1));
    printf("again %d\n", start_tap(&seen));
    printf("%d\n", ask_here());
    wwt_stop();
    print_taken(&seen);
    printf("hooks %u\n", wws_hooked_slots());

    // After the stop nothing is reported, and all slots have what they had.
    uint64_t before = slots();
    printf("%d %d %d\n", ask_here(), ask(&clear, 0), ask(&secure, 1));
    print_taken(&seen);
    start_tap(&seen);
    unsigned hooks = wws_hooked_slots();
    printf("changed %d\n", hooks > 0 && slots() != before);

    // After an object was unloaded, all others are looked at again.
    void *other = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!other || dlclose(other) != 0 || dlsym(RTLD_DEFAULT, "no function")) return 1;
    printf("unloaded %d\n", wws_hooked_slots() == hooks);

    // A child reports nothing, and goes on.
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(ask_here() == 62 && ask(&secure, 1) == 62 ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    printf("child %d\n", status);
    // A connection that is open at the stop ends there.
    int open = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(open, (struct sockaddr *)&clear, sizeof clear) != 0) return 1;
    send(open, "GET / HTTP/1.1\r\n\r\n", 18, 0);
    wwt_stop();
    close(open);
    print_taken(&seen);
    printf("restored %d\n", slots() == before);

    ask_library = ask;
    pthread_t threads[5];
    for (intptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, ask_on, (void *)(i % 3));
    pthread_create(&threads[4], NULL, fork_on, NULL);
    bool is_same = true;
    for (int i = 0; i < rounds; i++) {
        unsigned long had = __atomic_load_n(&asked, __ATOMIC_RELAXED);
        if (start_tap(&seen) != WWT_OK) return 1;
        is_same &= wws_hooked_slots() == hooks;
        while (__atomic_load_n(&asked, __ATOMIC_RELAXED) < had + 4) usleep(100);
        wwt_stop();
        is_same &= wws_hooked_slots() == 0;
        take_frames(&seen);
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 5; i++) pthread_join(threads[i], NULL);
    printf("rounds %d, as many hooks each time %d, failed %lu, restored %d\n", rounds, is_same, failed, slots() == before);
    printf("some seen %d\n", seen.begun > 0);
    for (int i = 0; i < 2; i++) kill(servers[i], SIGKILL);
    return 0;
}
