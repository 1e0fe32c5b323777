#include "play.h"

#include "sessions.c"
