// What a certificate for a host costs: the proxy makes one for each host that it opens, once.
//
// Prints microseconds of processor time for one certificate, the median of ten rounds of a hundred.
#include "proxy_tls.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(void) {
    EVP_PKEY *authority_key = wwp_new_key(), *leaf_key = wwp_new_key();
    X509 *authority = authority_key ? wwp_new_authority(authority_key, "Benchmark", 30) : NULL;
    if (!authority || !leaf_key) return 1;
    double rounds[10];
    for (int round = 0; round < 10; round++) {
        double before = processor();
        for (int i = 0; i < 100; i++) {
            char host[64];
            snprintf(host, sizeof host, "host-%d-%d.example.com", round, i);
            X509 *leaf = wwp_new_leaf(leaf_key, authority, authority_key, host, NULL, 0, 7);
            if (!leaf) return 1;
            X509_free(leaf);
        }
        rounds[round] = (processor() - before) / 100;
    }
    qsort(rounds, 10, sizeof *rounds, ascending);
    printf("%.0f\n", rounds[5]);
    return 0;
}
