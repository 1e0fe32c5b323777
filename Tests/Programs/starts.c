// Starts a program in every way that the C library has, then tries to start a file that is not there, one that is not
// executable, and one with too long an argument. Prints how each try ended.
//
// usage: starts PATH NAME, where NAME is the same program in a folder of PATH; both times with the argument `here`
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *words[] = {"word", "here", NULL};

static int way_execve(const char *path, const char *name) { (void)name; return execve(path, words, environ); }
static int way_execv(const char *path, const char *name) { (void)name; return execv(path, words); }
static int way_execvp(const char *path, const char *name) { (void)path; return execvp(name, words); }
static int way_execvpe(const char *path, const char *name) { (void)path; return execvpe(name, words, environ); }
static int way_execl(const char *path, const char *name) { (void)name; return execl(path, "word", "here", NULL); }
static int way_execlp(const char *path, const char *name) { (void)path; return execlp(name, "word", "here", NULL); }
static int way_execle(const char *path, const char *name) {
    (void)name;
    return execle(path, "word", "here", NULL, environ);
}
static int way_fexecve(const char *path, const char *name) {
    (void)name;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -1 : fexecve(file, words, environ);
}
static int way_memory(const char *path, const char *name) {
    (void)name;
    char bytes[65536];
    int from = open(path, O_RDONLY | O_CLOEXEC), file = memfd_create("copy", MFD_CLOEXEC);
    for (ssize_t count; from >= 0 && (count = read(from, bytes, sizeof bytes)) > 0;) {
        if (write(file, bytes, (size_t)count) != count) return -1;
    }
    return fexecve(file, words, environ);
}
static int way_execveat(const char *path, const char *name) {
    (void)name;
    return execveat(AT_FDCWD, path, words, environ, 0);
}

static const struct {
    const char *title;
    int (*start)(const char *, const char *);
} ways[] = {
    {"execve", way_execve}, {"execv", way_execv}, {"execvp", way_execvp}, {"execvpe", way_execvpe},
    {"execl", way_execl}, {"execlp", way_execlp}, {"execle", way_execle}, {"fexecve", way_fexecve},
    {"execveat", way_execveat}, {"fexecve of memory", way_memory},
};

static void report(const char *title, int status) {
    printf("%s: %d\n", title, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    fflush(stdout);
}

static void try(const char *path, const char *name) {
    int status;
    pid_t child;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        child = fork();
        if (child == 0) {
            ways[i].start(path, name);
            _exit(100 + errno);
        }
        waitpid(child, &status, 0);
        report(ways[i].title, status);
    }
    child = vfork();
    if (child == 0) {
        execve(path, words, environ);
        _exit(100 + errno);
    }
    waitpid(child, &status, 0);
    report("vfork", status);
    int code = posix_spawn(&child, path, NULL, NULL, words, environ);
    if (code == 0) waitpid(child, &status, 0);
    report("posix_spawn", code ? (100 + code) << 8 : status);
    code = posix_spawnp(&child, name, NULL, NULL, words, environ);
    if (code == 0) waitpid(child, &status, 0);
    report("posix_spawnp", code ? (100 + code) << 8 : status);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    try(arguments[1], arguments[2]);

    char command[4096], line[256];
    snprintf(command, sizeof command, "exec '%s' here", arguments[1]);
    report("system", system(command));
    FILE *output = popen(command, "r");
    while (fgets(line, sizeof line, output)) printf("by popen: %s", line);
    report("popen", pclose(output));

    puts("not there");
    try("/nonexistent/program", "nonexistent-program");
    puts("not executable");
    try("/etc/passwd", "/etc/passwd");
    puts("too long");
    char *argument = malloc(1 << 20);
    memset(argument, 'x', (1 << 20) - 1);
    argument[(1 << 20) - 1] = 0;
    words[1] = argument;
    errno = 0;
    printf("%d %d\n", execve(arguments[1], words, environ), errno);
    // The descriptor of the report is closed again.
    printf("next descriptor: %d\n", open("/dev/null", O_RDONLY));

    puts("without an environment");
    fflush(stdout);
    words[1] = "here";
    clearenv();
    int status = 0;
    pid_t child;
    if (posix_spawn(&child, arguments[1], NULL, NULL, words, NULL) == 0) waitpid(child, &status, 0);
    report("posix_spawn", status);
    report("system", system("exit 5"));
    return 0;
}
