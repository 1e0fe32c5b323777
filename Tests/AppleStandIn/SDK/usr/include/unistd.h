// Libc: include/unistd.h
#pragma once
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK (1 << 2)
#define W_OK (1 << 1)
#define X_OK (1 << 0)
#define F_OK 0
#define SEEK_SET 0
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58

int access(const char *path, int mode);
int chdir(const char *path);
int close(int descriptor);
int dup(int descriptor);
int dup2(int descriptor, int copy);
int execv(const char *path, char *const arguments[]);
int fchmod(int descriptor, mode_t mode);
int fsync(int descriptor);
int ftruncate(int descriptor, off_t size);
uid_t geteuid(void);
gid_t getgid(void);
int gethostname(char *name, size_t size);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
int isatty(int descriptor);
int link(const char *path, const char *other);
off_t lseek(int descriptor, off_t offset, int whence);
int pipe(int descriptors[2]);
ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset);
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset);
ssize_t read(int descriptor, void *bytes, size_t size);
ssize_t readlink(const char *path, char *target, size_t size);
int rmdir(const char *path);
unsigned int sleep(unsigned int seconds);
long sysconf(int name);
int unlink(const char *path);
int symlink(const char *target, const char *path);
int usleep(useconds_t microseconds);
ssize_t write(int descriptor, const void *bytes, size_t size);
void _exit(int status) __attribute__((noreturn));
