// Why a program that is about to start will not be metered, found in its file.
#ifndef WIREWEIGHT_PROGRAM_FILE_H
#define WIREWEIGHT_PROGRAM_FILE_H

#include "tap_frames.h"

/// Reads the file, and that of its interpreter if it is a script. `WWT_METERED` if nothing speaks against it, or the
/// file cannot be read. Works in the child of a vfork: it changes nothing but errno, and needs the stack only.
enum wwt_unmetered_why wireweight_judge_file(const char *path);

#endif
