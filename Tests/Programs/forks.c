// Transfers in the parent, forks, and transfers in both at once: forks ADDRESS COUNT.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static int fetch(CURL *easy, const char *address, const char *who, int count) {
    int result = 0;
    for (int i = 0; i < count; i++) {
        char url[256];
        snprintf(url, sizeof url, "%s/%s/%d", address, who, i);
        curl_easy_setopt(easy, CURLOPT_URL, url);
        result |= curl_easy_perform(easy);
    }
    return result;
}

static CURL *make(void) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    return easy;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int transfers = atoi(arguments[2]);
    curl_global_init(CURL_GLOBAL_ALL);
    CURL *easy = make();
    int result = fetch(easy, arguments[1], "before", transfers);
    pid_t child = fork();
    if (child == 0) {
        // The parent's handle and connection stay the parent's.
        CURL *own = make();
        result = fetch(own, arguments[1], "child", transfers);
        curl_easy_cleanup(own);
        exit(result);
    }
    result |= fetch(easy, arguments[1], "parent", transfers);
    int status = 0;
    waitpid(child, &status, 0);
    curl_easy_cleanup(easy);
    return result | status;
}
