// Loads libcurl only when it is already running, and asks for its functions by name.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
    if (count < 2) return 64;
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 69;
    CURL *(*init)(void);
    CURLcode (*set)(CURL *, CURLoption, ...);
    CURLcode (*perform)(CURL *);
    void (*cleanup)(CURL *);
    *(void **)&init = dlsym(library, "curl_easy_init");
    *(void **)&set = dlsym(library, "curl_easy_setopt");
    *(void **)&perform = dlsym(library, "curl_easy_perform");
    *(void **)&cleanup = dlsym(library, "curl_easy_cleanup");
    CURL *easy = init();
    int result = 0;
    for (int i = 1; i < count; i++) {
        set(easy, CURLOPT_URL, arguments[i]);
        result |= perform(easy);
    }
    cleanup(easy);
    dlclose(library);
    puts("\nlate: done");
    return result;
}
