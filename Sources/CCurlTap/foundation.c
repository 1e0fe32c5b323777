// What Foundation for Linux knows of a transfer and does not tell libcurl: after how long without progress it takes a
// request back. That is a timer of its own; libcurl sees a handle that is removed, as after a cancel.
//
// Foundation gives its callbacks the object behind the handle. Its fields are found by their names, in what Swift's
// runtime keeps for reflection (https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst). All of it is
// read by the kernel, which refuses addresses that are none: whatever a program hands to its callbacks, nothing breaks.

#ifdef __linux__
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "foundation.h"

#define MOST_FIELDS 64
#define LONGEST_NAME 32

static bool peek(uintptr_t at, void *to, size_t size) {
    struct iovec here = {to, size}, there = {(void *)at, size};
    return at && process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

/// The address in a field that holds its distance from itself; 0 for none.
static uintptr_t follow(uintptr_t at) {
    int32_t distance = 0;
    return peek(at, &distance, sizeof distance) && distance ? at + (uintptr_t)(intptr_t)distance : 0;
}

static bool is_text(uintptr_t at, const char *wanted) {
    char text[LONGEST_NAME];
    size_t size = strlen(wanted) + 1;
    return size <= sizeof text && peek(at, text, size) && memcmp(text, wanted, size) == 0;
}

// A class without Objective-C's words: kind, superclass, flags, sizes, and then where it is described.
#define DESCRIPTION 40
// A description of a class.
#define NAME 8
#define FIELDS 16
#define FIELD_COUNT 36
#define OFFSETS 40
#define KIND_MASK 0x1F
#define KIND_CLASS 16
#define HAS_RESILIENT_SUPERCLASS (UINT32_C(1) << 29)
// The fields' names.
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
