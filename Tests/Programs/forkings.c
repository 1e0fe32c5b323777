// Forks where it is hard: in handlers of a fork, which run while that fork is under way, or in the middle of calls of
// libcurl, wherever memory is allocated. It asks the server by a socket and by libcurl.
//
// usage: forkings handlers|within ADDRESS PORT
#include <arpa/inet.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *address;
static struct sockaddr_in server = {.sin_family = AF_INET};

static int open_connection(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&server, sizeof server) != 0) exit(71);
    return descriptor;
}

/// Leaves the connection open.
static void ask_over(int descriptor, const char *who) {
    char bytes[1024];
    int count = snprintf(bytes, sizeof bytes, "GET /hello/socket-%s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", who);
    if (send(descriptor, bytes, (size_t)count, 0) != count) exit(74);
    while (read(descriptor, bytes, sizeof bytes) > 0) {}
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static void ask(const char *who) {
    int descriptor = open_connection();
    ask_over(descriptor, who);
    close(descriptor);
    char url[256];
    snprintf(url, sizeof url, "%s/hello/curl-%s", address, who);
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    if (curl_easy_perform(easy) != CURLE_OK) exit(75);
    curl_easy_cleanup(easy);
}

static void await(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) exit(70);
}

// Handlers of a fork

static int is_seen, forking, left = -1, kept = -1;

static void prepare(void) {
    if (!is_seen || forking++) return;
    ask_over(left, "left");
    close(left);
    ask("before");
    pid_t child = fork();
    if (child == 0) {
        ask("inner");
        exit(0);
    }
    await(child);
}

static void in_parent(void) {
    if (is_seen && --forking == 0) ask("in-parent");
}

static void in_child(void) {
    alarm(20); // it ends a program that hangs, and its status says so
    // What it asked now would not be metered: the tap's own handler comes later.
    if (is_seen && --forking == 0) close(kept);
}

static void see_to_forks(void) { pthread_atfork(prepare, in_parent, in_child); }

// Before any library can do so. So they run after the tap has prepared for the fork, and before it is done with it.
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = see_to_forks;

// In the middle of a call

static __thread int is_within;
static pid_t made = -1;

void *calloc(size_t count, size_t size) {
    if (is_within) {
        is_within = 0;
        made = fork();
        is_within = made > 0;
        if (made > 0) await(made);
    }
    void *memory = malloc(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    alarm(20);
    address = arguments[2];
    server.sin_port = htons((uint16_t)atoi(arguments[3]));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    curl_global_init(CURL_GLOBAL_ALL);
    if (strcmp(arguments[1], "handlers") == 0) {
        left = open_connection();
        kept = open_connection();
        is_seen = 1;
        pid_t child = fork();
        is_seen = 0;
        ask(child == 0 ? "child" : "parent");
        if (child > 0) {
            await(child);
            ask_over(kept, "kept");
        }
    } else {
        is_within = 1;
        curl_easy_cleanup(curl_easy_init());
        is_within = 0;
        if (made < 0) return 69;
        // How often the call allocates memory is not the program's doing, so the children ask nothing.
        if (made == 0) close(open_connection());
        else ask("parent");
    }
    return 0;
}
