// A connection that carries something more as the program ends, and is never closed: closings ADDRESS HOW [CERTIFICATE].
// HOW: 'past' sends past libcurl and ends, 'forked' does so after a transfer that is not metered and a child that has ended;
// 'amid' ends while libcurl closes; 'after' lets a thread close after everything else at the program's end. How much the
// connection has carried goes to standard error.
#include <curl/curl.h>
#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static CURL *easy;
static const char *how;
static curl_socket_t connection = -1;

static void say_count(void) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size);
    fprintf(stderr, "%llu\n", (unsigned long long)(info.tcpi_bytes_sent - info.tcpi_bytes_retrans));
}

// libcurl calls it after its close_notify, and then closes the socket.
void SSL_free(void *session) {
    if (connection < 0) {
        ((void (*)(void *))dlsym(RTLD_NEXT, "SSL_free"))(session);
        return;
    }
    say_count();
    if (strcmp(how, "amid") == 0) exit(0);
    for (;;) pause();
}

static void *close_later(void *unused) {
    (void)unused;
    // Until the C library waits for its output to be read, after everything else at a program's end.
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    while (poll(&output, 1, 0) > 0 && (output.revents & POLLOUT)) usleep(2000);
    curl_easy_cleanup(easy);
    return NULL;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static int say_nothing(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)context, (void)a, (void)b, (void)c, (void)d;
    return 0;
}

// With a progress meter and a resolver of its own, which the meter leaves alone, and counts.
static int transfer_unmetered(const char *address) {
    CURL *other = curl_easy_init();
    curl_easy_setopt(other, CURLOPT_URL, address);
    curl_easy_setopt(other, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(other, CURLOPT_DOH_URL, "https://127.0.0.1:1/");
    curl_easy_setopt(other, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(other, CURLOPT_XFERINFOFUNCTION, say_nothing);
    int code = curl_easy_perform(other);
    curl_easy_cleanup(other);
    return code;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    how = arguments[2];
    easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
    if (count > 3) curl_easy_setopt(easy, CURLOPT_CAINFO, arguments[3]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    if (curl_easy_perform(easy) != CURLE_OK) return 1;
    curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &connection);
    if (strcmp(how, "forked") == 0) {
        if (transfer_unmetered(arguments[1]) != 0) return 1;
        pid_t child = fork();
        if (child == 0) exit(0);
        if (waitpid(child, NULL, 0) != child) return 1;
    }
    if (strcmp(how, "past") == 0 || strcmp(how, "forked") == 0) {
        if (send(connection, "0123456789", 10, MSG_NOSIGNAL) != 10) return 1;
        say_count();
    } else if (strcmp(how, "amid") == 0) {
        curl_easy_cleanup(easy);
    } else {
        // The C library writes this last of all, and waits until somebody reads.
        static char text[200000], buffer[1 << 20];
        memset(text, '.', sizeof text);
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        fwrite(text, 1, sizeof text, stdout);
        pthread_t thread;
        pthread_create(&thread, NULL, close_later, NULL);
    }
    return 0;
}
