// A client and a server, of which one has a filter of system calls (seccomp) for all but its own and those that are named;
// it tries to start a file that may not be executed, too. Prints the number of bytes that the client has received.
//
// usage: filtered client|server|none kill|refuse FILE [CALL…]

#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST "GET /filtered HTTP/1.1\r\nHost: filtered.test\r\n\r\n"
#define HEAD "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"
enum { BODY = 10000, REQUESTS = 3, CONNECTIONS = 2 };

static const struct {
    const char *name;
    int numbers[2];
} calls[] = {
// Functions of the C library, and what they call; arm64 has no others.
#ifndef SYS_access
#define SYS_access SYS_faccessat
#define SYS_poll SYS_ppoll
#define SYS_readlink SYS_readlinkat
#endif
    {"access", {SYS_access}}, {"brk", {SYS_brk}}, {"close", {SYS_close}}, {"connect", {SYS_connect}},
    {"faccessat", {SYS_faccessat, SYS_faccessat2}}, {"fcntl", {SYS_fcntl}}, {"fstat", {SYS_fstat, SYS_newfstatat}},
    {"ftruncate", {SYS_ftruncate}}, {"futex", {SYS_futex}}, {"getgid", {SYS_getgid}}, {"getpeername", {SYS_getpeername}},
    {"getpid", {SYS_getpid}}, {"getppid", {SYS_getppid}}, {"getrlimit", {SYS_prlimit64}},
    {"getsockname", {SYS_getsockname}}, {"getsockopt", {SYS_getsockopt}}, {"getuid", {SYS_getuid}},
    {"getxattr", {SYS_getxattr}}, {"ioctl", {SYS_ioctl}}, {"madvise", {SYS_madvise}},
    {"memfd_create", {SYS_memfd_create}}, {"mmap", {SYS_mmap}}, {"mprotect", {SYS_mprotect}}, {"mremap", {SYS_mremap}},
    {"munmap", {SYS_munmap}}, {"openat", {SYS_openat}}, {"poll", {SYS_poll}}, {"prctl", {SYS_prctl}},
    {"pread", {SYS_pread64}}, {"readlink", {SYS_readlink}}, {"sendmsg", {SYS_sendmsg}}, {"sendto", {SYS_sendto}},
    {"setsockopt", {SYS_setsockopt}}, {"socket", {SYS_socket}}, {"stat", {SYS_newfstatat}}, {"statfs", {SYS_statfs}},
};

static const int server_own[] = {
    SYS_accept4, SYS_accept, SYS_close, SYS_execve, SYS_exit_group, SYS_recvfrom, SYS_sendfile, SYS_sendto, SYS_write, 0,
};
static const int client_own[] = {
    SYS_close, SYS_connect, SYS_execve, SYS_exit_group, SYS_recvfrom, SYS_sendto, SYS_socket, SYS_write, 0,
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sock_filter filter[256];
static size_t length;

static void add(uint16_t code, uint32_t value, uint8_t otherwise_skipped) {
    filter[length++] = (struct sock_filter){code, 0, otherwise_skipped, value};
}

static void allow(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0);
}

static void allow_only(const int *own, const char *otherwise, char **names) {
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0);
    for (; *own; own++) allow(*own);
    for (; *names; names++) {
        size_t i = 0;
        while (i < sizeof calls / sizeof *calls && strcmp(calls[i].name, *names) != 0) i++;
        if (i == sizeof calls / sizeof *calls) {
            fprintf(stderr, "no call is known by the name of '%s'\n", *names);
            exit(2);
        }
        for (int j = 0; j < 2; j++) {
            if (calls[i].numbers[j]) allow(calls[i].numbers[j]);
        }
    }
    add(BPF_RET | BPF_K, strcmp(otherwise, "kill") ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS, 0);
    struct sock_fprog program = {(unsigned short)length, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("prctl");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) fail("seccomp");
}

static char bytes[4096];

static void take(int socket, size_t count) {
    for (ssize_t got; count; count -= (size_t)got) {
        size_t most = count < sizeof bytes ? count : sizeof bytes;
        if ((got = recv(socket, bytes, most, 0)) <= 0) fail("recv");
    }
}

static void put(int socket, const char *text) {
    if (send(socket, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text)) fail("send");
}

static void serve(int listener, int content) {
    for (int i = 0; i < CONNECTIONS; i++) {
        int from = accept(listener, NULL, NULL);
        if (from < 0) fail("accept");
        for (int j = 0; j < REQUESTS; j++) {
            take(from, strlen(REQUEST));
            put(from, HEAD);
            off_t at = 0;
            while (at < BODY) {
                if (sendfile(from, content, &at, (size_t)(BODY - at)) <= 0) fail("sendfile");
            }
        }
        close(from);
    }
}

static size_t call(const struct sockaddr_in *address) {
    size_t all = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        int to = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(to, (const struct sockaddr *)address, sizeof *address) != 0) fail("connect");
        for (int j = 0; j < REQUESTS; j++) {
            put(to, REQUEST);
            take(to, strlen(HEAD) + BODY);
            all += strlen(HEAD) + BODY;
        }
        close(to);
    }
    return all;
}

static void start(const char *file) {
    char *arguments[] = {(char *)(uintptr_t)file, NULL}, *none[] = {NULL};
    execve(file, arguments, environ);
    execve(file, arguments, none);
    if (errno != EACCES) fail(file);
}

int main(int count, char **words) {
    if (count < 4) return 2;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    FILE *content = tmpfile();
    for (int i = 0; i < BODY; i++) fputc('f', content);
    fflush(content);
    pid_t child = fork();
    if (!child && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("prctl");
    const char *who = child ? "client" : "server";
    if (!strcmp(words[1], who)) allow_only(child ? client_own : server_own, words[2], words + 4);
    if (!child) {
        serve(listener, fileno(content));
        start(words[3]);
        _exit(0);
    }
    close(listener); // if the server ends, nothing waits for it
    char line[32];
    int length = snprintf(line, sizeof line, "%zu\n", call(&address));
    if (write(1, line, (size_t)length) != length) return 1;
    if (!strcmp(words[1], "client")) {
        start(words[3]);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
