#ifdef __linux__
#include "program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// System calls without the C library's functions, because some of those are points where a thread may be cancelled.

static int open_file(const char *path) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
}

/// Reads from a place in a file; the number of bytes, 0 if there are none.
static size_t read_at(int file, void *bytes, size_t count, uint64_t from) {
    long got = syscall(SYS_pread64, file, bytes, count, from);
    return got > 0 ? (size_t)got : 0;
}

// MARK: rights

#define ON_NOSUID_MOUNT 2 // ST_NOSUID

/// Whether the process gets other rights by this file, so that the dynamic linker ignores preloaded libraries.
static enum wwt_unmetered_why rights_of(const char *path, const struct stat *status) {
    bool is_other_user = (status->st_mode & S_ISUID) && status->st_uid != getuid();
    bool is_other_group = (status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) && status->st_gid != getgid();
    char capabilities[64];
    // Root has all capabilities anyway.
    bool has_capabilities = !is_other_user && !is_other_group && getuid() != 0
        && getxattr(path, "security.capability", capabilities, sizeof capabilities) > 0;
    if (!is_other_user && !is_other_group && !has_capabilities) return WWT_METERED;
    struct statfs system;
    bool has_effect = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1
        && !(statfs(path, &system) == 0 && (system.f_flags & ON_NOSUID_MOUNT));
    if (!has_effect) return WWT_METERED;
    return has_capabilities ? WWT_UNMETERED_CAPABILITIES : WWT_UNMETERED_SETUID;
}

// MARK: ELF

/// Whether the names of the file's sections are those of a Go program.
static bool is_go(int file, const Elf64_Ehdr *header) {
    Elf64_Shdr names;
    char text[2048];
    if (header->e_shoff == 0 || header->e_shentsize != sizeof names) return false;
    uint64_t place = header->e_shoff + (uint64_t)header->e_shstrndx * sizeof names;
    if (read_at(file, &names, sizeof names, place) != sizeof names) return false;
    size_t count = read_at(file, text, names.sh_size < sizeof text ? names.sh_size : sizeof text, names.sh_offset);
    return memmem(text, count, "\0.go.buildinfo", sizeof "\0.go.buildinfo")
        || memmem(text, count, "\0.note.go.buildid", sizeof "\0.note.go.buildid");
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/// The most entries that are read; programs have about 13.
#define MOST_SEGMENTS 32

#ifdef __x86_64__
#define OWN_MACHINE EM_X86_64
#else
#define OWN_MACHINE EM_AARCH64
#endif

static enum wwt_unmetered_why judge_elf(int file, const Elf64_Ehdr *header, const char *path) {
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB
        || header->e_machine != OWN_MACHINE) {
        return WWT_UNMETERED_PROCESSOR;
    }
    if (is_go(file, header)) return WWT_UNMETERED_GO;
    Elf64_Phdr segments[MOST_SEGMENTS];
    size_t count = header->e_phnum;
    if (header->e_phentsize != sizeof *segments || count > MOST_SEGMENTS) return WWT_METERED;
    if (read_at(file, segments, count * sizeof *segments, header->e_phoff) != count * sizeof *segments) {
        return WWT_METERED;
    }
    for (size_t i = 0; i < count; i++) {
        if (segments[i].p_type != PT_INTERP) continue;
        char linker[256] = "";
        size_t size = segments[i].p_filesz < sizeof linker - 1 ? segments[i].p_filesz : sizeof linker - 1;
        linker[read_at(file, linker, size, segments[i].p_offset)] = 0;
        return has_prefix(last_part(linker), "ld-linux") ? WWT_METERED : WWT_UNMETERED_LINKER;
    }
    // The dynamic linker has no interpreter either, and preloads into the program that it is called with.
    const char *name = last_part(path);
    return has_prefix(name, "ld-") || has_prefix(name, "ld.so") ? WWT_METERED : WWT_UNMETERED_STATIC;
}

// MARK: scripts

/// The interpreter in the first line of a script, in place; NULL if there is none.
static char *interpreter_in(char *line, size_t count) {
    if (count < 3 || line[0] != '#' || line[1] != '!') return NULL;
    line[count] = 0;
    char *start = line + 2 + strspn(line + 2, " \t");
    start[strcspn(start, " \t\n")] = 0;
    return *start ? start : NULL;
}

/// The kernel follows this number of scripts that are interpreters of others.
#define MOST_SCRIPTS 5

enum wwt_unmetered_why wireweight_judge_file(const char *path) {
    union {
        Elf64_Ehdr header;
        char line[256 + 1];
    } start;
    char copy[256];
    for (int i = 0; i < MOST_SCRIPTS; i++) {
        struct stat status;
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return WWT_METERED;
        int file = open_file(path);
        size_t count = file >= 0 ? read_at(file, &start, sizeof start.line - 1, 0) : 0;
        bool is_elf = count >= sizeof start.header && memcmp(start.header.e_ident, ELFMAG, SELFMAG) == 0;
        char *interpreter = is_elf ? NULL : interpreter_in(start.line, count);
        // The bits of a script mean nothing, because its interpreter runs.
        enum wwt_unmetered_why why = interpreter ? WWT_METERED : rights_of(path, &status);
        if (is_elf && why == WWT_METERED) why = judge_elf(file, &start.header, path);
        if (file >= 0) syscall(SYS_close, file);
        if (!interpreter) return why;
        strcpy(copy, interpreter);
        path = copy;
    }
    return WWT_METERED;
}

#endif
