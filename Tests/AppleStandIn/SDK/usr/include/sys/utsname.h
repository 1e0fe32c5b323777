// xnu: bsd/sys/utsname.h
#pragma once

struct utsname {
    char sysname[256];
    char nodename[256];
    char release[256];
    char version[256];
    char machine[256];
};

int uname(struct utsname *names);
