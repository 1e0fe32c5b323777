#include "play.h"

#include "client_hello.c"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "CStreamPlay.h"

struct csp_hello {
    wws_client_hello read;
};

csp_hello *csp_hello_begin(void) { return calloc(1, sizeof(csp_hello)); }

void csp_hello_add(csp_hello *hello, const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    wws_client_hello_add(&hello->read, copy, count);
    free(copy);
}

bool csp_hello_is_over(const csp_hello *hello) { return hello->read.is_over; }

const uint8_t *csp_hello_random(const csp_hello *hello) { return hello->read.has_random ? hello->read.random : NULL; }

const uint8_t *csp_hello_server_name(const csp_hello *hello, size_t *count) {
    *count = hello->read.name_size;
    return hello->read.bytes;
}

const uint8_t *csp_hello_protocols(const csp_hello *hello, size_t *count) {
    *count = hello->read.protocols_size;
    return hello->read.bytes + hello->read.name_size;
}

void csp_hello_free(csp_hello *hello) { free(hello); }

#endif
