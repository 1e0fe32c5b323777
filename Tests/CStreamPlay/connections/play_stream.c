#include "play.h"

#include "stream.c"
