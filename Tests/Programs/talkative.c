// Sets verbose mode from a callback, while a transfer runs: talkative URL. Prints what libcurl shows of it.
#include <curl/curl.h>
#include <stdio.h>
#include <sys/socket.h>

static CURL *easy;

static int show(CURL *of, curl_infotype type, char *bytes, size_t count, void *context) {
    (void)of, (void)context;
    printf("%d %.*s", (int)type, (int)count, bytes);
    return 0;
}

/// From here on libcurl says where it connects to, before it sends anything.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context, (void)purpose;
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
    return socket(address->family, address->socktype, address->protocol);
}

int main(int count, char **words) {
    if (count != 2) return 64;
    easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, words[1]);
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, show);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    CURLcode code = curl_easy_perform(easy);
    curl_easy_cleanup(easy);
    return code;
}
