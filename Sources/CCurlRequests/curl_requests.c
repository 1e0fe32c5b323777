#ifdef __linux__
#define _GNU_SOURCE
#include "curl_requests.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of libcurl's interface that is used here. libcurl promises to keep its names, numbers and layouts
// (https://curl.se/libcurl/abi.html), so the build needs no headers. The calls go through the dynamic linker's slots, where
// a monitor in the same process finds them.
typedef void CURL;
struct curl_slist;
extern int curl_global_init(long flags);
extern CURL *curl_easy_init(void);
extern void curl_easy_reset(CURL *easy);
extern void curl_easy_cleanup(CURL *easy);
extern int curl_easy_setopt(CURL *easy, int option, ...);
extern int curl_easy_getinfo(CURL *easy, int info, ...);
extern int curl_easy_perform(CURL *easy);
extern const char *curl_easy_strerror(int code);
extern struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line);
extern void curl_slist_free_all(struct curl_slist *list);

#define CURL_GLOBAL_DEFAULT 3L
#define CURLE_OK 0
#define CURLE_OPERATION_TIMEDOUT 28
// https://curl.se/libcurl/c/curl_easy_setopt.html
#define CURLOPT_WRITEDATA 10001
#define CURLOPT_URL 10002
#define CURLOPT_ERRORBUFFER 10010
#define CURLOPT_WRITEFUNCTION 20011
#define CURLOPT_POSTFIELDS 10015
#define CURLOPT_LOW_SPEED_LIMIT 19
#define CURLOPT_LOW_SPEED_TIME 20
#define CURLOPT_HTTPHEADER 10023
#define CURLOPT_NOPROGRESS 43
#define CURLOPT_POST 47
#define CURLOPT_XFERINFODATA 10057
#define CURLOPT_CONNECTTIMEOUT 78
#define CURLOPT_NOSIGNAL 99
#define CURLOPT_POSTFIELDSIZE_LARGE 30120
#define CURLOPT_PROTOCOLS 181
#define CURLOPT_XFERINFOFUNCTION 20219
#define CURLPROTO_HTTP_AND_HTTPS 3L
// https://curl.se/libcurl/c/curl_easy_getinfo.html
#define CURLINFO_RESPONSE_CODE (0x200000 + 2)
#define CURLINFO_RETRY_AFTER (0x600000 + 57)

enum { MOST_IDLE = 8 };

struct wwr_client {
    atomic_bool is_cancelled;
    pthread_mutex_t lock; // of the handles that are idle, each with its connections
    CURL *idle[MOST_IDLE];
    size_t idle_count;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

wwr_client *wwr_client_new(void) {
    // A new handle would do it, too, but before libcurl 7.84 not while another thread does.
    pthread_once(&once, prepare);
    wwr_client *client = calloc(1, sizeof *client);
    if (client) pthread_mutex_init(&client->lock, NULL);
    return client;
}

void wwr_client_cancel(wwr_client *client) { atomic_store(&client->is_cancelled, true); }

void wwr_client_free(wwr_client *client) {
    if (!client) return;
    for (size_t i = 0; i < client->idle_count; i++) curl_easy_cleanup(client->idle[i]);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

static CURL *take_handle(wwr_client *client) {
    pthread_mutex_lock(&client->lock);
    CURL *easy = client->idle_count > 0 ? client->idle[--client->idle_count] : NULL;
    pthread_mutex_unlock(&client->lock);
    return easy ? easy : curl_easy_init();
}

static void give_back(wwr_client *client, CURL *easy) {
    curl_easy_reset(easy); // which keeps the connections
    pthread_mutex_lock(&client->lock);
    bool has_room = client->idle_count < MOST_IDLE;
    if (has_room) client->idle[client->idle_count++] = easy;
    pthread_mutex_unlock(&client->lock);
    if (!has_room) curl_easy_cleanup(easy);
}

typedef struct incoming {
    wwr_response *response;
    size_t most, capacity;
} incoming;

/// Takes a part of the content. If it returns less than the size, libcurl gives up.
static size_t take_content(char *bytes, size_t size, size_t count, void *user) {
    incoming *incoming = user;
    wwr_response *response = incoming->response;
    (void)size; // always 1
    if (count > incoming->most - response->content_size) {
        response->outcome = WWR_TOO_LARGE;
        return 0;
    }
    size_t needed = response->content_size + count;
    if (needed > incoming->capacity) {
        size_t capacity = incoming->capacity * 2 > needed ? incoming->capacity * 2 : needed;
        uint8_t *more = realloc(response->content, capacity);
        if (!more) return 0;
        response->content = more;
        incoming->capacity = capacity;
    }
    if (count > 0) memcpy(response->content + response->content_size, bytes, count);
    response->content_size = needed;
    return count;
}

/// libcurl calls it about once a second while it waits; not 0 ends the transfer.
static int take_progress(void *user, int64_t down_all, int64_t down, int64_t up_all, int64_t up) {
    (void)down_all, (void)down, (void)up_all, (void)up;
    wwr_client *client = user;
    return atomic_load(&client->is_cancelled);
}

/// Performs the transfer without SIGPIPE, which libcurl itself can only ignore for all threads.
static int perform(CURL *easy) {
    sigset_t pipe, before, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    int code = curl_easy_perform(easy);
    struct timespec now = {0, 0};
    if (!was_pending) sigtimedwait(&pipe, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/// NULL if there is no memory.
static struct curl_slist *list_of(const char *fields) {
    // Without this, libcurl waits for an interim response before a large content.
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    for (const char *end; list && (end = strchr(fields, '\n')); fields = end + 1) {
        char *line = strndup(fields, (size_t)(end - fields));
        struct curl_slist *longer = line ? curl_slist_append(list, line) : NULL;
        free(line);
        if (!longer) curl_slist_free_all(list);
        list = longer;
    }
    return list;
}

static int transfer(wwr_client *client, CURL *easy, const wwr_request *request, struct curl_slist *fields, incoming *incoming) {
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP_AND_HTTPS);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)request->content_size);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->content_size > 0 ? (const char *)request->content : "");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_content);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, incoming);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, take_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, client);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, incoming->response->message);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, request->seconds);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->seconds);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    return perform(easy);
}

void wwr_post(wwr_client *client, const wwr_request *request, wwr_response *response) {
    *response = (wwr_response){.outcome = WWR_FAILED};
    if (atomic_load(&client->is_cancelled)) {
        snprintf(response->message, sizeof response->message, "cancelled");
        return;
    }
    CURL *easy = take_handle(client);
    struct curl_slist *fields = list_of(request->fields);
    if (!easy || !fields) {
        snprintf(response->message, sizeof response->message, "there is no memory");
        if (easy) give_back(client, easy);
        curl_slist_free_all(fields);
        return;
    }
    incoming incoming = {.response = response, .most = request->most};
    int code = transfer(client, easy, request, fields, &incoming);
    if (code == CURLE_OK) {
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &response->retry_after);
        response->status = (int)status;
        response->outcome = WWR_RESPONDED;
    } else if (response->outcome != WWR_TOO_LARGE) {
        response->outcome = code == CURLE_OPERATION_TIMEDOUT ? WWR_TIMED_OUT : WWR_FAILED;
        if (!response->message[0]) snprintf(response->message, sizeof response->message, "%s", curl_easy_strerror(code));
    }
    give_back(client, easy);
    curl_slist_free_all(fields);
}

void wwr_free_content(wwr_response *response) {
    free(response->content);
    response->content = NULL;
}
#endif
