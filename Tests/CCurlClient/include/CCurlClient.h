// A program on libcurl, for tests: its calls go through slots of the dynamic linker's, as any C program's do.
#ifndef CCURLCLIENT_H
#define CCURLCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a program saw through its callbacks, as text: one line for each call.
typedef struct cc_record cc_record;

cc_record *cc_record_create(void);
void cc_record_destroy(cc_record *record);
/// The lines so far; valid until the next callback.
const char *cc_record_text(cc_record *record);
void cc_record_note(cc_record *record, const char *line);

// libcurl's own functions, with plain arguments.

void *cc_init(void);
void cc_cleanup(void *easy);
void cc_reset(void *easy);
void *cc_duplicate(void *easy);
int cc_perform(void *easy);
int cc_set_text(void *easy, int option, const char *value);
int cc_set_long(void *easy, int option, long value);
int cc_set_pointer(void *easy, int option, void *value);
void *cc_multi_init(void);
int cc_multi_add(void *multi, void *easy);
int cc_multi_remove(void *multi, void *easy);
int cc_multi_cleanup(void *multi);
/// Drives once, waiting up to that long; the number of running transfers.
int cc_multi_step(void *multi, int milliseconds);
/// Takes the next finished transfer; NULL for none.
void *cc_multi_done(void *multi, int *result);

enum cc_option {
    CC_WRITEDATA = 10001,
    CC_URL = 10002,
    CC_COPYPOSTFIELDS = 10165,
    CC_STDERR = 10037,
    CC_TIMEOUT_MS = 155,
    CC_VERBOSE = 41,
    CC_NOPROGRESS = 43,
    CC_FOLLOWLOCATION = 52,
    CC_USERAGENT = 10018,
    CC_DEBUGDATA = 10095,
    CC_CLOSESOCKETDATA = 10209,
    CC_DOH_URL = 10279,
    CC_CAINFO = 10065,
    CC_SHARE = 10100,
    CC_PROXY = 10004,
};

/// Collects bodies in the record.
int cc_set_body(void *easy, cc_record *record);
/// Sets the debug function that writes into the record; NULL for none.
int cc_set_debug(void *easy, cc_record *record);
/// Sets a function that closes sockets and notes that in the record; NULL for none.
int cc_set_closer(void *easy, cc_record *record);
/// Connections that several handles share under locks, which are noted in the record.
void *cc_share_create(cc_record *record);
int cc_share_destroy(void *share);
/// Calls a function in the transfer's first progress callback.
int cc_set_hook(void *easy, void (*function)(void *easy, void *user), void *user);
/// Makes the socket's send buffer as small as it gets.
int cc_set_small_buffer(void *easy);
/// One more header field.
int cc_set_field(void *easy, const char *line);

/// Performs while another thread sends this one signals without end; how many they were.
int cc_perform_pestered(void *easy, int *signals);

/// A file in memory that keeps what is logged.
void *cc_log_open(char **text, size_t *size);
void cc_log_close(void *log);

/// Runs in a child of a fork: cleans the handle up and makes a request of its own. The child's status; 0 is well.
int cc_in_child(void *easy, const char *url);
/// Ends the process in the child of a fork after calling back; its status.
int cc_fork(int (*body)(void *), void *user);

/// The values of all slots in the process that hold addresses of functions of libcurl, one after the other; how many.
size_t cc_slots(uintptr_t *values, size_t capacity);

int cc_errno(void);
void cc_set_errno(int value);

#endif
