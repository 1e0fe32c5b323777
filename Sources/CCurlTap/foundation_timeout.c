// Finds out what Foundation for Linux knows about a transfer and does not pass to libcurl: after how long without
// progress it takes a request back. Foundation uses a timer of its own, so libcurl only sees a removed handle, as after
// a cancel.
//
// Foundation gives its callbacks the object that owns the handle. This file finds the object's fields by their names,
// in what Swift's runtime keeps for reflection
// (https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst). It reads all of that through the kernel,
// which refuses invalid addresses. So nothing breaks, whatever a program hands to its callbacks.

#ifdef __linux__
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "foundation_timeout.h"

#define MOST_FIELDS 64
#define LONGEST_NAME 32

static bool peek(uintptr_t at, void *to, size_t size) {
    struct iovec here = {to, size}, there = {(void *)at, size};
    return at && process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

/// The address to which a relative pointer at `at` leads: the field holds its distance from itself; 0 for none.
static uintptr_t follow(uintptr_t at) {
    int32_t distance = 0;
    return peek(at, &distance, sizeof distance) && distance ? at + (uintptr_t)(intptr_t)distance : 0;
}

static bool is_text(uintptr_t at, const char *wanted) {
    char text[LONGEST_NAME];
    size_t size = strlen(wanted) + 1;
    return size <= sizeof text && peek(at, text, size) && memcmp(text, wanted, size) == 0;
}

// A class without Objective-C's words: kind, superclass, flags, sizes, and then the address of its description.
#define DESCRIPTION 40
// Offsets in the description of a class.
#define NAME 8
#define FIELDS 16
#define FIELD_COUNT 36
#define OFFSETS 40
#define KIND_MASK 0x1F
#define KIND_CLASS 16
#define HAS_RESILIENT_SUPERCLASS (UINT32_C(1) << 29)
// Offsets in the descriptor of its fields.
#define RECORD_SIZE 10
#define RECORDS 16
#define RECORD_NAME 8

/// Reads a word-sized field of an object, if the object is of that class.
static bool read_field(uintptr_t object, const char *class_name, const char *field, uintptr_t *value) {
    uintptr_t metadata = 0, description = 0;
    uint32_t flags = 0, count = 0, offsets = 0;
    uint16_t size = 0;
    if (!peek(object, &metadata, sizeof metadata) || !peek(metadata + DESCRIPTION, &description, sizeof description)
        || !peek(description, &flags, sizeof flags) || (flags & KIND_MASK) != KIND_CLASS
        || (flags & HAS_RESILIENT_SUPERCLASS) || !is_text(follow(description + NAME), class_name)
        || !peek(description + FIELD_COUNT, &count, sizeof count)
        || !peek(description + OFFSETS, &offsets, sizeof offsets)) return false;
    uintptr_t records = follow(description + FIELDS);
    if (!records || !peek(records + RECORD_SIZE, &size, sizeof size)) return false;
    for (uint32_t i = 0; i < count && i < MOST_FIELDS; i++) {
        if (!is_text(follow(records + RECORDS + i * size + RECORD_NAME), field)) continue;
        uintptr_t offset = 0;
        return peek(metadata + (offsets + i) * sizeof offset, &offset, sizeof offset)
            && peek(object + offset, value, sizeof *value);
    }
    return false;
}

uint32_t wwt_foundation_timeout(const void *client) {
    int before = errno;
    uintptr_t timer = 0, milliseconds = 0;
    bool is_known = read_field((uintptr_t)client, "_EasyHandle", "timeoutTimer", &timer)
        && read_field(timer, "_TimeoutSource", "milliseconds", &milliseconds) && milliseconds <= UINT32_MAX;
    errno = before;
    return is_known ? (uint32_t)milliseconds : 0;
}

#endif
