// Ties TLS sessions to connections: by the random of the ClientHello that a connection begins with.
#include "connection_parts.h"

#ifdef __linux__
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fork_lock.h"

/// Connections whose TLS has begun and that no session is known of, by the random of their ClientHello.
typedef struct awaiting {
    struct awaiting *next;
    wws_connection *connection;
    uint64_t serial;
    enum wws_role role;
    uint64_t number;
    bool is_within; // it has passed within a call of TLS
    uint8_t random[32];
} awaiting;

static awaiting *hellos;
static wwt_fork_lock hello_lock = WWT_FORK_LOCK;

static uint64_t last_number; // changed under the lock

uint64_t wws_last_hello(void) { return __atomic_load_n(&last_number, __ATOMIC_RELAXED); }

/// Calls on this thread of a TLS library that cannot say which random a session has, and the number of the first ClientHello
/// that has passed within the innermost one; 0 for none.
static __thread struct {
    int calls;
    uint64_t hello;
} within;

void wws_begin_within(void) {
    within.calls++;
    within.hello = 0;
}

void wws_end_within(void) {
    if (within.calls > 0) within.calls--;
}

void wws_forget_within(void) { within.hello = 0; }

void wws_lock_hellos(void) { wwt_lock(&hello_lock); }

void wws_unlock_hellos(void) { wwt_unlock(&hello_lock); }

void wws_forget_hellos(void) {
    while (hellos) {
        awaiting *next = hellos->next;
        free(hellos);
        hellos = next;
    }
}

static void await_session(wws_connection *connection) {
    awaiting *made = malloc(sizeof *made);
    if (!made) return;
    made->connection = connection;
    made->serial = connection->serial;
    made->role = connection->is_server ? WWS_SERVER : WWS_CLIENT;
    memcpy(made->random, connection->hello->random, sizeof made->random);
    made->is_within = within.calls > 0;
    wwt_lock(&hello_lock);
    made->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    if (made->is_within && !within.hello) within.hello = made->number;
    made->next = hellos;
    hellos = made;
    wwt_unlock(&hello_lock);
}

void wws_forget_hello(const wws_connection *connection) {
    wwt_lock(&hello_lock);
    for (awaiting **link = &hellos; *link; link = &(*link)->next) {
        if ((*link)->connection != connection || (*link)->serial != connection->serial) continue;
        awaiting *gone = *link;
        *link = gone->next;
        free(gone);
        break;
    }
    wwt_unlock(&hello_lock);
}

/// Takes an entry from the list; the lock is held.
static wws_connection *take(awaiting **link, uint64_t *serial) {
    awaiting *taken = *link;
    wws_connection *connection = taken->connection;
    *serial = taken->serial;
    *link = taken->next;
    free(taken);
    return connection;
}

wws_connection *wws_find_random(const uint8_t *random, enum wws_role role, uint64_t *serial) {
    wws_connection *found = NULL;
    bool was_inside = wws_set_inside(true); // a signal's handler that closes a connection must not wait for this lock
    wwt_lock(&hello_lock);
    for (awaiting **link = &hellos; *link; link = &(*link)->next) {
        // Both ends may be in this process.
        if (role != WWS_EITHER && (*link)->role != role) continue;
        if (memcmp((*link)->random, random, sizeof (*link)->random) != 0) continue;
        found = take(link, serial);
        break;
    }
    wwt_unlock(&hello_lock);
    wws_set_inside(was_inside);
    return found;
}

wws_connection *wws_find_within(uint64_t since, uint64_t *serial) {
    uint64_t number = within.hello;
    if (!number || number <= since) return NULL;
    bool was_inside = wws_set_inside(true);
    wwt_lock(&hello_lock);
    awaiting **own = NULL;
    bool may_be_another = false;
    for (awaiting **link = &hellos; *link; link = &(*link)->next) {
        if ((*link)->number == number) own = link;
        // The session's own may have been sent after its first call, which has written it into memory.
        else if ((*link)->number > since && (*link)->number < number) may_be_another |= !(*link)->is_within;
    }
    wws_connection *found = own && !may_be_another ? take(own, serial) : NULL;
    wwt_unlock(&hello_lock);
    wws_set_inside(was_inside);
    return found;
}

void wws_begin_tls(wws_connection *connection) {
    connection->kind = WWS_TLS;
    if (connection->hello) wws_forget_hello(connection);
    free(connection->hello);
    free(connection->answer);
    connection->answer = NULL;
    if (connection->plain) {
        connection->proxy = connection->plain;
        connection->proxy_session = connection->session;
        connection->proxy_sent = connection->plain_sent;
        connection->proxy_received = connection->plain_received;
        connection->plain = NULL;
        connection->session = NULL;
        connection->has_session = false;
        connection->bare = connection->secured = connection->plain_sent = connection->plain_received = 0;
    }
    connection->hello = calloc(1, sizeof *connection->hello);
    wws_begin_records(connection);
}

void wws_add_hello(wws_connection *connection, const uint8_t *bytes, size_t count) {
    wws_client_hello *hello = connection->hello;
    if (connection->records) wws_add_records(connection, false, bytes, count);
    if (!hello || hello->is_over) return;
    bool had_random = hello->has_random;
    wws_client_hello_add(hello, bytes, count);
    if (hello->has_random && !had_random && !connection->has_session) await_session(connection);
    wws_client_hello *shorter = hello->is_over ? realloc(hello, wws_client_hello_size(hello)) : NULL;
    if (shorter) connection->hello = shorter;
}

void wws_add_answer(wws_connection *connection, const uint8_t *bytes, size_t count) {
    wws_server_hello *answer = connection->answer;
    if (connection->records) wws_add_records(connection, true, bytes, count);
    // After bytes that were not seen, a record begins anywhere.
    if (!connection->hello || connection->is_torn || (answer && answer->is_over)) return;
    if (!answer) {
        answer = malloc(sizeof *answer);
        if (!answer) return;
        memset(answer, 0, offsetof(wws_server_hello, bytes));
        connection->answer = answer;
    }
    wws_server_hello_add(answer, bytes, count);
    wws_server_hello *shorter = answer->is_over ? realloc(answer, wws_server_hello_size(answer)) : NULL;
    if (shorter) connection->answer = shorter;
}

#endif
