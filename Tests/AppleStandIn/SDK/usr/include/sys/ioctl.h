// xnu: bsd/sys/ttycom.h, bsd/sys/ioctl.h
#pragma once

struct winsize {
    unsigned short ws_row;
    unsigned short ws_col;
    unsigned short ws_xpixel;
    unsigned short ws_ypixel;
};

#define TIOCGWINSZ 0x40087468

// Swift's overlay has this one, because its arguments vary.
int ioctl(int descriptor, unsigned long request, ...);
