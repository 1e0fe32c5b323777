// Libc: include/stdlib.h
#pragma once
#include <stddef.h>
#include <stdint.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void abort(void) __attribute__((noreturn));
int abs(int value);
int atexit(void (*function)(void));
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t limit);
void *calloc(size_t count, size_t size);
void exit(int status) __attribute__((noreturn));
void free(void *memory);
char *getenv(const char *name);
void *malloc(size_t size);
int mkstemp(char *path);
char *mkdtemp(char *path);
int posix_memalign(void **memory, size_t alignment, size_t size);
void *realloc(void *memory, size_t size);
char *realpath(const char *path, char *resolved);
int setenv(const char *name, const char *value, int overwrite);
double strtod(const char *text, char **end);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
int unsetenv(const char *name);
