// Transfers beside each other by one multi handle, over HTTP/2 where the server speaks it; some bodies go up, some are given up:
// streams ADDRESS COUNT [CERTIFICATE].
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    *(size_t *)context += size * count;
    return size * count;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int wanted = atoi(arguments[2]);
    if (wanted > MOST) return 64;
    static char body[100000];
    static size_t received[MOST];
    CURL *transfers[MOST] = {0};
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    for (int i = 0; i < wanted; i++) {
        CURL *easy = transfers[i] = curl_easy_init();
        char url[256];
        snprintf(url, sizeof url, "%s/stream/%d", arguments[1], i);
        curl_easy_setopt(easy, CURLOPT_URL, url);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received[i]);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
        // The others wait for the first connection, to share it.
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
        if (count > 3) curl_easy_setopt(easy, CURLOPT_CAINFO, arguments[3]);
        if (i % 4 == 1) {
            curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
            curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)(sizeof body / (i + 1)));
        }
        curl_multi_add_handle(multi, easy);
    }
    int running = wanted, failures = 0, ended = 0;
    while (running) {
        if (curl_multi_perform(multi, &running) != CURLM_OK) return 1;
        int left;
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            ended++;
            if (message->data.result == CURLE_OK) continue;
            failures++;
            fprintf(stderr, "a transfer ended with %d, %s\n", message->data.result, curl_easy_strerror(message->data.result));
        }
        // One in eight is cancelled while it runs, after another has ended.
        for (int i = 3; ended && i < wanted; i += 8) {
            if (transfers[i]) {
                curl_multi_remove_handle(multi, transfers[i]);
                curl_easy_cleanup(transfers[i]);
                transfers[i] = NULL;
            }
        }
        if (running) curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    for (int i = 0; i < wanted; i++) {
        if (!transfers[i]) continue;
        curl_multi_remove_handle(multi, transfers[i]);
        // A handle may be used again, and copied.
        if (i % 8 == 0) {
            CURL *copy = curl_easy_duphandle(transfers[i]);
            failures += curl_easy_perform(copy) != CURLE_OK;
            curl_easy_cleanup(copy);
            curl_easy_reset(transfers[i]);
        }
        curl_easy_cleanup(transfers[i]);
    }
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    printf("failures: %d\n", failures);
    return failures != 0;
}
