// Puts URLs together, in memory of a fixed size: what has no room is left out.
#ifndef WWS_URL_TEXT_H
#define WWS_URL_TEXT_H

#include <string.h>

typedef struct wws_url_text {
    char *bytes;
    size_t room, count;
} wws_url_text;

/// Adds text up to a NUL.
static inline void wws_url_add(wws_url_text *url, const char *text, size_t count) {
    size_t left = url->room - url->count;
    count = strnlen(text, count < left ? count : left);
    memcpy(url->bytes + url->count, text, count);
    url->count += count;
}

static inline void wws_url_add_port(wws_url_text *url, unsigned port) {
    char digits[11] = ":";
    size_t count = 1;
    for (unsigned rest = port; count == 1 || rest; rest /= 10) count++;
    for (size_t i = count - 1; i > 0; i--, port /= 10) digits[i] = (char)('0' + port % 10);
    wws_url_add(url, digits, count);
}

#endif
