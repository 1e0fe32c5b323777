// Transfers, keeps its connection open, and becomes another program: successor ADDRESS COUNT PROGRAM ARGUMENT…
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 4) return 64;
    curl_global_init(CURL_GLOBAL_ALL);
    CURL *easy = curl_easy_init();
    for (int i = 0; i < atoi(arguments[2]); i++) {
        char url[256];
        snprintf(url, sizeof url, "%s/before/%s/%d", arguments[1], arguments[2], i);
        curl_easy_setopt(easy, CURLOPT_URL, url);
        if (curl_easy_perform(easy) != CURLE_OK) return 1;
    }
    fflush(stdout);
    execv(arguments[3], arguments + 3);
    return 127;
}
