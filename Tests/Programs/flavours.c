// One process on two flavours of libcurl: this file as a program on OpenSSL's, and as a library on GnuTLS'.
// flavours LIBRARY ADDRESS COUNT [CERTIFICATE]
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/// Transfers by the libcurl that this object was linked against, on one connection.
#ifdef PLUGIN
int transfer(CURL **easy, const char *url, const char *certificate) {
#else
static int transfer(CURL **easy, const char *url, const char *certificate) {
#endif
    if (!*easy) {
        curl_global_init(CURL_GLOBAL_ALL);
        printf("%s\n", curl_version_info(CURLVERSION_NOW)->ssl_version);
        *easy = curl_easy_init();
        curl_easy_setopt(*easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
        if (certificate) curl_easy_setopt(*easy, CURLOPT_CAINFO, certificate);
    }
    if (!url) {
        curl_easy_cleanup(*easy);
        return 0;
    }
    curl_easy_setopt(*easy, CURLOPT_URL, url);
    fflush(stdout);
    return curl_easy_perform(*easy);
}

#ifndef PLUGIN
int main(int count, char **arguments) {
    if (count < 4) return 64;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return 69;
    int (*other)(CURL **, const char *, const char *);
    *(void **)&other = dlsym(library, "transfer");
    const char *certificate = count > 4 ? arguments[4] : NULL;
    CURL *mine = NULL, *its = NULL;
    int failures = 0;
    for (int i = 0; i < atoi(arguments[3]); i++) {
        char url[256];
        snprintf(url, sizeof url, "%s/openssl/%d", arguments[2], i);
        failures += transfer(&mine, url, certificate) != 0;
        snprintf(url, sizeof url, "%s/gnutls/%d", arguments[2], i);
        failures += other(&its, url, certificate) != 0;
    }
    transfer(&mine, NULL, NULL);
    other(&its, NULL, NULL);
    printf("failures: %d\n", failures);
    return failures;
}
#endif
