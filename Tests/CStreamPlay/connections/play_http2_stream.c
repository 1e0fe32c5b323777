#include "play.h"

#include "http2_stream.c"
