#include "detour.h"

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "moved_code.h"

/// A detour's own code: a jump to the hook wherever that is, and after it what was moved.
#define STUB_SIZE 128
#define FAR_JUMP_SIZE 16

static void write_far_jump(uint8_t *at, const void *to) {
#if defined(__x86_64__)
    memcpy(at, "\xff\x25\0\0\0\0", 6); // jmp *0(%rip)
    memcpy(at + 6, &to, sizeof to);
#else
    memcpy(at, (uint32_t[]){0x58000050, 0xd61f0200}, 8); // ldr x16, 8; br x16
    memcpy(at + 8, &to, sizeof to);
#endif
}

/// Each thread is a folder; a folder has a link from itself, one from its parent, and one from each folder in it.
static bool is_alone(void) {
    struct stat status;
    return stat("/proc/self/task", &status) == 0 && status.st_nlink == 2 + WIREWEIGHT_OWN_THREADS;
}

/// Memory that a jump from there reaches.
static uint8_t *map_near(uintptr_t place, size_t size) {
#if defined(__x86_64__)
    const uintptr_t reach = 0x70000000, step = 1 << 22;
#else
    const uintptr_t reach = 0x7000000, step = 1 << 20;
#endif
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    // Below the program, or far above it: the heap grows from its end.
    for (int sign = -1; sign <= 1; sign += 2) {
        for (uintptr_t i = 1; i < reach / step; i++) {
            uintptr_t distance = sign < 0 ? i * step : reach - i * step;
            uintptr_t at = (place + (uintptr_t)sign * distance) & ~(page - 1);
            if ((sign < 0 && distance > place) || at < (1 << 16)) continue;
            void *made = mmap((void *)at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (made == (void *)at) return made;
            if (made != MAP_FAILED) munmap(made, size);
        }
    }
    return NULL;
}

static bool make_executable(uint8_t *bytes, size_t size) {
    __builtin___clear_cache((char *)bytes, (char *)bytes + size);
    return mprotect(bytes, size, PROT_READ | PROT_EXEC) == 0;
}

/// Where the jump goes: after the instruction that indirect calls must land on, if there is one.
static uint8_t *entry_of(const detour *detour) {
    uint8_t *function = detour->function;
#if defined(__x86_64__)
    if (memcmp(function, "\xf3\x0f\x1e\xfa", 4) == 0) function += 4; // endbr64
#else
    uint32_t first;
    memcpy(&first, function, sizeof first);
    if (first == 0xd503245f || first == 0xd50324df) function += 4; // bti c, bti jc
#endif
    return function;
}

/// The pages of the executable that have a jump in them.
typedef struct pages {
    uintptr_t first;
    size_t size;
    off_t offset; // in the file; -1 if it is not known
} pages;

static int find_offset(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    pages *pages = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_filesz;
        if (header->p_type != PT_LOAD || pages->first + pages->size <= begin || pages->first >= end) continue;
        pages->offset = (off_t)(header->p_offset + pages->first - begin);
    }
    return 1; // the executable is the first
}

static pages pages_of(const detour *detour) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), entry = (uintptr_t)entry_of(detour), first = entry & ~(page - 1);
    pages found = {first, ((entry + WWS_JUMP_SIZE + page - 1) & ~(page - 1)) - first, -1};
    dl_iterate_phdr(find_offset, &found);
    return found;
}

/// Whether pages are as in the executable's file. If not, something has written to them that belongs to their place, such
/// as a breakpoint of the kernel's probes, and a copy of that would end the program.
static bool is_as_in_file(const detour *detour, int file) {
    pages pages = pages_of(detour);
    if (pages.offset < 0) return false;
    uint8_t bytes[512];
    bool is_same = true;
    for (size_t done = 0; is_same && done < pages.size;) {
        ssize_t got = pread(file, bytes, sizeof bytes, pages.offset + (off_t)done);
        if (got <= 0) break;
        size_t count = (size_t)got < pages.size - done ? (size_t)got : pages.size - done;
        is_same = memcmp((const uint8_t *)pages.first + done, bytes, count) == 0;
        done += count;
    }
    return is_same;
}

static bool are_as_in_file(const detour *detours, size_t count) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    bool is_same = file >= 0;
    for (size_t i = 0; is_same && i < count; i++) is_same = is_as_in_file(&detours[i], file);
    if (file >= 0) close(file);
    return is_same;
}

/// Writes a detour's own code. Nothing of the program changes.
static bool write_stub(const detour *detour, uint8_t *stub) {
    moved_code moved;
    uint8_t *original = stub + FAR_JUMP_SIZE, jump[WWS_JUMP_SIZE], *entry = entry_of(detour);
    write_far_jump(stub, detour->hook);
    if (!wws_write_jump(jump, (uintptr_t)entry, (uintptr_t)stub)) return false;
    if (!wws_move_code(entry, (uintptr_t)original, &moved)) return false;
    memcpy(original, moved.bytes, moved.size);
    *detour->original = original;
    return true;
}

/// Replaces the pages of the function's beginning with a copy that has the jump in it. On arm64 nothing checks where
/// indirect calls land in the copy, because a function may begin with `paciasp` in the place of a landing pad, and that moves.
static bool put_jump(const detour *detour, const uint8_t *stub) {
    pages pages = pages_of(detour);
    uintptr_t entry = (uintptr_t)entry_of(detour);
    uint8_t *copy = mmap(NULL, pages.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return false;
    memcpy(copy, (const void *)pages.first, pages.size);
    uint8_t jump[WWS_JUMP_SIZE];
    wws_write_jump(jump, entry, (uintptr_t)stub);
    memcpy(copy + (entry - pages.first), jump, sizeof jump);
    if (make_executable(copy, pages.size)
        && mremap(copy, pages.size, pages.size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)pages.first)
            == (void *)pages.first) {
        __builtin___clear_cache((char *)entry, (char *)entry + sizeof jump);
        return memcmp((const void *)entry, jump, sizeof jump) == 0;
    }
    munmap(copy, pages.size);
    return false;
}

bool wireweight_make_detours(const detour *detours, size_t count) {
    if (!count || count > WIREWEIGHT_MOST_DETOURS || !is_alone()) return false;
    size_t size = count * STUB_SIZE;
    uint8_t *stubs = map_near((uintptr_t)detours[0].function, size);
    if (!stubs) return false;
    bool is_ready = are_as_in_file(detours, count);
    bool is_written[WIREWEIGHT_MOST_DETOURS];
    for (size_t i = 0; is_ready && i < count; i++) {
        is_written[i] = write_stub(&detours[i], stubs + i * STUB_SIZE);
        is_ready = is_written[i] || detours[i].is_optional;
    }
    // Where the system allows no new code, it ends here.
    if (!is_ready || !make_executable(stubs, size)) {
        munmap(stubs, size);
        return false;
    }
    for (size_t i = 0; is_ready && i < count; i++) {
        is_ready = !is_written[i] || put_jump(&detours[i], stubs + i * STUB_SIZE);
    }
    return is_ready;
}

#endif
