// A program that loads what uses libcurl, and lets go of it: this file as a program, and as the library.
// plugins LIBRARY ADDRESS COUNT
#ifdef PLUGIN
#include <curl/curl.h>

int transfer(const char *url) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    int code = curl_easy_perform(easy);
    curl_easy_cleanup(easy);
    return code;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count < 4) return 64;
    int failures = 0;
    for (int i = 0; i < atoi(arguments[3]); i++) {
        void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return 69;
        int (*transfer)(const char *);
        *(void **)&transfer = dlsym(library, "transfer");
        char url[256];
        snprintf(url, sizeof url, "%s/%s/%d", arguments[2], i % 2 ? "chunks" : "hello", i);
        failures += transfer(url) != 0;
        failures += dlclose(library) != 0;
    }
    printf("failures: %d\n", failures);
    return failures;
}
#endif
