// xnu: bsd/sys/stat.h, with 64-bit inodes
#pragma once
#include <time.h>

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFSOCK 0140000
#define S_IRUSR 0000400
#define S_IWUSR 0000200
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)

struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags;
    uint32_t st_gen;
};

int chmod(const char *path, mode_t mode);
int fstat(int descriptor, struct stat *result);
int lstat(const char *path, struct stat *result);
int mkdir(const char *path, mode_t mode);
int stat(const char *path, struct stat *result);
mode_t umask(mode_t mask);
