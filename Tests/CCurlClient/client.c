#include "CCurlClient.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The part of libcurl that is used, so that no headers are needed to build.
extern void *curl_easy_init(void);
extern void curl_easy_cleanup(void *);
extern void curl_easy_reset(void *);
extern void *curl_easy_duphandle(void *);
extern int curl_easy_perform(void *);
extern int curl_easy_setopt(void *, int, ...);
extern void *curl_multi_init(void);
extern int curl_multi_add_handle(void *, void *);
extern int curl_multi_remove_handle(void *, void *);
extern int curl_multi_cleanup(void *);
extern int curl_multi_perform(void *, int *);
extern int curl_multi_poll(void *, void *, unsigned int, int, int *);
typedef struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} message;
extern message *curl_multi_info_read(void *, int *);
extern void *curl_share_init(void);
extern int curl_share_setopt(void *, int, ...);
extern int curl_share_cleanup(void *);
extern void *curl_slist_append(void *, const char *);

struct cc_record {
    pthread_mutex_t lock;
    char *text;
    size_t length, capacity;
};

cc_record *cc_record_create(void) {
    cc_record *record = calloc(1, sizeof *record);
    pthread_mutex_init(&record->lock, NULL);
    record->text = calloc(1, record->capacity = 64);
    return record;
}

void cc_record_destroy(cc_record *record) {
    free(record->text);
    free(record);
}

const char *cc_record_text(cc_record *record) { return record->text; }

static void add(cc_record *record, const char *bytes, size_t count) {
    while (record->length + count + 1 > record->capacity) record->text = realloc(record->text, record->capacity *= 2);
    memcpy(record->text + record->length, bytes, count);
    record->text[record->length += count] = 0;
}

void cc_record_note(cc_record *record, const char *line) {
    pthread_mutex_lock(&record->lock);
    add(record, line, strlen(line));
    add(record, "\n", 1);
    pthread_mutex_unlock(&record->lock);
}

void *cc_init(void) { return curl_easy_init(); }
void cc_cleanup(void *easy) { curl_easy_cleanup(easy); }
void cc_reset(void *easy) { curl_easy_reset(easy); }
void *cc_duplicate(void *easy) { return curl_easy_duphandle(easy); }
int cc_perform(void *easy) { return curl_easy_perform(easy); }
int cc_set_text(void *easy, int option, const char *value) { return curl_easy_setopt(easy, option, value); }
int cc_set_long(void *easy, int option, long value) { return curl_easy_setopt(easy, option, value); }
int cc_set_pointer(void *easy, int option, void *value) { return curl_easy_setopt(easy, option, value); }
void *cc_multi_init(void) { return curl_multi_init(); }
int cc_multi_add(void *multi, void *easy) { return curl_multi_add_handle(multi, easy); }
int cc_multi_remove(void *multi, void *easy) { return curl_multi_remove_handle(multi, easy); }
int cc_multi_cleanup(void *multi) { return curl_multi_cleanup(multi); }

int cc_multi_step(void *multi, int milliseconds) {
    int running = 0;
    curl_multi_perform(multi, &running);
    if (running) curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
    return running;
}

void *cc_multi_done(void *multi, int *result) {
    int left;
    message *next = curl_multi_info_read(multi, &left);
    if (!next) return NULL;
    *result = next->data.result;
    return next->easy;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *record) {
    pthread_mutex_lock(&((cc_record *)record)->lock);
    add(record, bytes, size * count);
    pthread_mutex_unlock(&((cc_record *)record)->lock);
    return size * count;
}

int cc_set_body(void *easy, cc_record *record) {
    int code = curl_easy_setopt(easy, 20011, take_body);
    return code ? code : curl_easy_setopt(easy, CC_WRITEDATA, record);
}

static int take_debug(void *easy, int kind, char *bytes, size_t count, void *record) {
    (void)easy;
    char head[64];
    snprintf(head, sizeof head, "debug %d %zu ", kind, count);
    // libcurl 7.88 shows the end of a head from where the piece begins that brought it, at its whole length. If that piece is
    // LF alone, the byte after it is the first of the content, or one that was never read.
    if (kind == 1 && count == 2 && bytes[0] == '\n') bytes = "\r\n";
    pthread_mutex_lock(&((cc_record *)record)->lock);
    add(record, head, strlen(head));
    add(record, bytes, count);
    add(record, "\n", 1);
    pthread_mutex_unlock(&((cc_record *)record)->lock);
    return 0;
}

int cc_set_debug(void *easy, cc_record *record) {
    int code = curl_easy_setopt(easy, 20094, record ? take_debug : NULL);
    return code ? code : curl_easy_setopt(easy, CC_DEBUGDATA, record);
}

static int take_close(void *record, int socket) {
    cc_record_note(record, "close");
    return close(socket);
}

int cc_set_closer(void *easy, cc_record *record) {
    int code = curl_easy_setopt(easy, 20208, record ? take_close : NULL);
    return code ? code : curl_easy_setopt(easy, CC_CLOSESOCKETDATA, record);
}

static void take_lock(void *easy, int what, int how, void *record) {
    (void)easy;
    (void)how;
    cc_record_note(record, what == 5 ? "lock the connections" : "lock");
}

static void take_unlock(void *easy, int what, void *record) {
    (void)easy;
    cc_record_note(record, what == 5 ? "unlock the connections" : "unlock");
}

void *cc_share_create(cc_record *record) {
    void *share = curl_share_init();
    curl_share_setopt(share, 3, take_lock);
    curl_share_setopt(share, 4, take_unlock);
    curl_share_setopt(share, 5, record);
    curl_share_setopt(share, 1, 5); // CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT
    return share;
}

int cc_share_destroy(void *share) { return curl_share_cleanup(share); }

typedef struct hook {
    void *easy;
    void (*function)(void *, void *);
    void *user;
} hook;

static int take_progress(void *data, int64_t total, int64_t now, int64_t total_up, int64_t now_up) {
    (void)total;
    (void)total_up;
    (void)now_up;
    hook *own = data;
    // Something has come, so the transfer is in full swing.
    if (now == 0 || !own->function) return 0;
    void (*function)(void *, void *) = own->function;
    own->function = NULL;
    function(own->easy, own->user);
    return 0;
}

int cc_set_hook(void *easy, void (*function)(void *, void *), void *user) {
    hook *own = calloc(1, sizeof *own); // lives as long as the tests
    *own = (hook){easy, function, user};
    int code = curl_easy_setopt(easy, 20219, take_progress);
    if (!code) code = curl_easy_setopt(easy, 10057, own);
    return code ? code : curl_easy_setopt(easy, CC_NOPROGRESS, 0L);
}

static int shrink(void *client, int socket, int purpose) {
    (void)client;
    (void)purpose;
    int size = 1;
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return 0;
}

int cc_set_small_buffer(void *easy) { return curl_easy_setopt(easy, 20148, shrink); }

int cc_set_field(void *easy, const char *line) {
    return curl_easy_setopt(easy, 10023, curl_slist_append(NULL, line));
}

void *cc_log_open(char **text, size_t *size) { return open_memstream(text, size); }

void cc_log_close(void *log) { fclose(log); }

static volatile sig_atomic_t signals_taken;

static void take_signal(int number) {
    (void)number;
    signals_taken++;
}

int cc_perform_pestered(void *easy, int *signals) {
    // Without SA_RESTART: what waits comes back with EINTR.
    struct sigaction action = {.sa_handler = take_signal}, before;
    sigaction(SIGUSR1, &action, &before);
    signals_taken = 0;
    // The kernel's timer sends them to this thread: another thread might not run before the transfer is over.
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    event._sigev_un._tid = gettid();
    struct itimerspec each = {.it_value.tv_nsec = 300000, .it_interval.tv_nsec = 300000};
    timer_t timer;
    int failed = timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &each, NULL);
    int code = curl_easy_perform(easy);
    if (!failed) timer_delete(timer);
    sigaction(SIGUSR1, &before, NULL);
    *signals = signals_taken;
    return code;
}

static int status_of(pid_t child) {
    int status = -1;
    // A child that hangs is a defect, too.
    for (int tries = 0; tries < 1000; tries++) {
        if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
        usleep(10000);
    }
    kill(child, 9);
    waitpid(child, &status, 0);
    return -2;
}

int cc_fork(int (*body)(void *), void *user) {
    pid_t child = fork();
    if (child == 0) _exit(body(user));
    return status_of(child);
}

static size_t drop(char *bytes, size_t size, size_t count, void *user) {
    (void)bytes;
    (void)user;
    return size * count;
}

int cc_in_child(void *easy, const char *url) {
    pid_t child = fork();
    if (child != 0) return status_of(child);
    (void)easy; // the parent's: its sockets are shared
    void *own = curl_easy_init();
    curl_easy_setopt(own, CC_URL, url);
    curl_easy_setopt(own, 20011, drop);
    int code = curl_easy_perform(own);
    curl_easy_cleanup(own);
    _exit(code);
}

typedef struct found {
    uintptr_t *values;
    size_t capacity, count;
} found;

static int collect(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    found *all = context;
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    const ElfW(Rela) *tables[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB) symbols = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_JMPREL) tables[0] = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_PLTRELSZ) sizes[0] = entry->d_un.d_val;
        if (entry->d_tag == DT_RELA) tables[1] = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_RELASZ) sizes[1] = entry->d_un.d_val;
    }
    if (!symbols || !strings || (uintptr_t)strings < info->dlpi_addr) return 0;
    for (int t = 0; t < 2; t++) {
        for (size_t i = 0; tables[t] && i < sizes[t] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(tables[t][i].r_info)];
            if (strncmp(strings + symbol->st_name, "curl_", 5) != 0) continue;
            uintptr_t value = *(const uintptr_t *)(info->dlpi_addr + tables[t][i].r_offset);
            if (all->count < all->capacity) all->values[all->count] = value;
            all->count++;
        }
    }
    return 0;
}

size_t cc_slots(uintptr_t *values, size_t capacity) {
    found all = {values, capacity, 0};
    dl_iterate_phdr(collect, &all);
    return all.count;
}

int cc_errno(void) { return errno; }
void cc_set_errno(int value) { errno = value; }
