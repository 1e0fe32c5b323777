// Many threads, each with a handle of its own: threads ADDRESS THREADS COUNT.
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *address;
static int transfers;

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    *(size_t *)context += size * count;
    return size * count;
}

static void *work(void *number) {
    CURL *easy = curl_easy_init();
    size_t received = 0;
    long failures = 0;
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    for (int i = 0; i < transfers; i++) {
        char url[256];
        snprintf(url, sizeof url, "%s/thread/%ld/%d", address, (long)number, i);
        curl_easy_setopt(easy, CURLOPT_URL, url);
        failures += curl_easy_perform(easy) != CURLE_OK;
    }
    curl_easy_cleanup(easy);
    return (void *)failures;
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    address = arguments[1];
    transfers = atoi(arguments[3]);
    curl_global_init(CURL_GLOBAL_ALL);
    pthread_t threads[64];
    int wanted = atoi(arguments[2]);
    if (wanted > 64) return 64;
    for (long i = 0; i < wanted; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    long failures = 0;
    for (int i = 0; i < wanted; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failures += (long)result;
    }
    printf("failures: %ld\n", failures);
    return failures != 0;
}
