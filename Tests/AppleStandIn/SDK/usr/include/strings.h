// Libc: include/strings.h
#pragma once
#include <stddef.h>

int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t limit);
