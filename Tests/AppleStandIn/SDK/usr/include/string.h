// Libc: include/string.h
#pragma once
#include <stddef.h>

void *memchr(const void *memory, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memcpy(void *target, const void *source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *memmem(const void *memory, size_t size, const void *part, size_t part_size);
void *memset(void *target, int value, size_t size);
char *strchr(const char *text, int value);
int strcmp(const char *left, const char *right);
char *strcpy(char *target, const char *source);
char *strdup(const char *text);
char *strerror(int code);
int strerror_r(int code, char *text, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
int strncmp(const char *left, const char *right, size_t limit);
char *strncpy(char *target, const char *source, size_t size);
char *strrchr(const char *text, int value);
char *strstr(const char *text, const char *part);
char *strtok_r(char *text, const char *separators, char **rest);
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *rejected);
size_t strlcpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);
