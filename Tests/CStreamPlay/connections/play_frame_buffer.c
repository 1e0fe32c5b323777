#include "play.h"

#include "frame_buffer.c"
