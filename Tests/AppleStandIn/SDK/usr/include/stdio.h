// Libc: include/stdio.h
#pragma once
#include <stdarg.h>
#include <sys/types.h>

typedef struct __sFILE {
    unsigned char *_p;
} FILE;

extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
#define EOF (-1)

int fclose(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
int fflush(FILE *file);
FILE *fopen(const char *path, const char *mode);
int fprintf(FILE *file, const char *format, ...);
int fputs(const char *text, FILE *file);
size_t fread(void *bytes, size_t size, size_t count, FILE *file);
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file);
int fileno(FILE *file);
char *fgets(char *text, int size, FILE *file);
ssize_t getline(char **line, size_t *size, FILE *file);
void perror(const char *text);
int remove(const char *path);
int rename(const char *path, const char *other);
int snprintf(char *text, size_t size, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
FILE *tmpfile(void);
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
