// Requests over libcurl that block the thread. URLSession on Linux is the same libcurl, but spins on a processor after it
// has sent a content of more than one piece, until the response has come.
#ifndef WWR_CURL_REQUESTS_H
#define WWR_CURL_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Connections that are kept for the next request. Any number of threads may use it.
typedef struct wwr_client wwr_client;

typedef struct wwr_request {
    const char *url;
    /// Header lines, each with '\n' after it.
    const char *fields;
    const uint8_t *content;
    size_t content_size;
    /// The longest time in which nothing comes.
    long seconds;
    /// The largest content of a response.
    size_t most;
} wwr_request;

typedef enum wwr_outcome { WWR_RESPONDED, WWR_TOO_LARGE, WWR_TIMED_OUT, WWR_FAILED } wwr_outcome;

typedef struct wwr_response {
    wwr_outcome outcome;
    int status;
    /// The seconds after which the server allows another request; 0 if it did not say.
    int64_t retry_after;
    /// The content, which wwr_free_content frees.
    uint8_t *content;
    size_t content_size;
    /// Why it failed, in libcurl's words.
    char message[256];
} wwr_response;

/// NULL if there is no memory.
wwr_client *wwr_client_new(void);

/// Fails what is under way, within a second, and all further requests.
void wwr_client_cancel(wwr_client *client);

/// Closes the connections; no request may be under way.
void wwr_client_free(wwr_client *client);

/// Sends a POST and waits for its response. Redirects are not followed.
void wwr_post(wwr_client *client, const wwr_request *request, wwr_response *response);

void wwr_free_content(wwr_response *response);

#endif
