// Writes the hello frame: which process sends the frames.

#ifdef __linux__
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CCurlTap.h"
#include "clock.h"
#include "libraries.h"

static void append_text(uint8_t *bytes, size_t *length, const char *text, size_t count) {
    uint32_t size = (uint32_t)count;
    memcpy(bytes + *length, &size, sizeof size);
    memcpy(bytes + *length + sizeof size, text, count);
    *length += sizeof size + count;
}

/// The number of the network namespace, from a link such as `net:[4026531840]`.
static uint64_t network_namespace(void) {
    char link[64];
    ssize_t length = readlink("/proc/self/ns/net", link, sizeof link);
    uint64_t number = 0;
    for (ssize_t i = 0; i < length; i++) {
        if (link[i] >= '0' && link[i] <= '9') number = number * 10 + (uint64_t)(link[i] - '0');
    }
    return number;
}

size_t wwt_hello(uint8_t *bytes, size_t capacity) {
    char path[1024];
    ssize_t path_length = readlink("/proc/self/exe", path, sizeof path);
    if (path_length < 0) path_length = 0;
    // Ask libcurl for its version later, when the program has started to use it.
    wwt_library *library = wwt_library_number(0);
    const char *version = library ? library->version : "";
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    uint64_t now = wwt_now();
    wwt_hello_body body = {
        .protocol = WWT_PROTOCOL,
        .pid = getpid(),
        .parent = getppid(),
        .has_libcurl = wwt_sees_libcurl(),
        .wall_minus_monotonic = wall.tv_sec * 1000000000ll + wall.tv_nsec - (int64_t)now,
        .network_namespace = network_namespace(),
    };
    size_t length = sizeof(wwt_frame) + sizeof body;
    if (capacity < length + 8 + (size_t)path_length + strlen(version)) return 0;
    memcpy(bytes + sizeof(wwt_frame), &body, sizeof body);
    append_text(bytes, &length, path, (size_t)path_length);
    append_text(bytes, &length, version, strlen(version));
    wwt_frame frame = {(uint32_t)length, WWT_HELLO, 0, now};
    memcpy(bytes, &frame, sizeof frame);
    return length;
}

#else

#include "CCurlTap.h"

size_t wwt_hello(uint8_t *bytes, size_t capacity) { (void)bytes; (void)capacity; return 0; }

#endif
