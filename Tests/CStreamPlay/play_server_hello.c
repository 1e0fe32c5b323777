#include "play.h"

#include "server_hello.c"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "CStreamPlay.h"

struct csp_answer {
    wws_server_hello read;
};

csp_answer *csp_answer_begin(void) { return calloc(1, sizeof(csp_answer)); }

void csp_answer_add(csp_answer *answer, const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    wws_server_hello_add(&answer->read, copy, count);
    free(copy);
}

bool csp_answer_is_over(const csp_answer *answer) { return answer->read.is_over; }

bool csp_answer_numbers(const csp_answer *answer, uint32_t numbers[4]) {
    numbers[0] = answer->read.version;
    numbers[1] = answer->read.cipher;
    numbers[2] = answer->read.resumption;
    numbers[3] = answer->read.chain_size;
    return answer->read.has_hello;
}

const uint8_t *csp_answer_protocol(const csp_answer *answer, size_t *count) {
    *count = answer->read.protocol_size;
    return answer->read.bytes;
}

const uint8_t *csp_answer_certificate(const csp_answer *answer, size_t *count) {
    *count = answer->read.certificate_size;
    return answer->read.bytes + answer->read.protocol_size;
}

void csp_answer_free(csp_answer *answer) { free(answer); }

#endif
