// Prints what a program inherits: signals, descriptors, limits, environment.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments) {
    char line[4096];
    FILE *status = fopen("/proc/self/status", "re");
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, "Sig", 3) == 0 && strncmp(line, "SigQ", 4) != 0) fputs(line, stdout);
        if (strncmp(line, "ShdPnd", 6) == 0 || strncmp(line, "Threads", 7) == 0) fputs(line, stdout);
    }
    fclose(status);
    for (int i = 0; i < 4096; i++) {
        char link[64], target[1024];
        snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t length = readlink(link, target, sizeof target);
        if (length >= 0) printf("descriptor %d\n", i);
    }
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        if (getrlimit(i, &limit) == 0) printf("limit %d %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
    }
    for (int i = 0; i < count; i++) {
        printf("argument %d ", i);
        for (const char *c = arguments[i]; *c; c++) printf("%02x", (unsigned char)*c);
        puts("");
    }
    for (char **variable = environ; *variable; variable++) {
        printf("variable ");
        for (const char *c = *variable; *c; c++) printf(*c > ' ' && *c < 127 ? "%c" : "\\%02x", (unsigned char)*c);
        puts("");
    }
    printf("group %d session %d terminal %d nice %d\n", getpgrp() == getpid(), getsid(0) == getpid(),
           isatty(0), (int)getpriority(PRIO_PROCESS, 0));
    return 0;
}
