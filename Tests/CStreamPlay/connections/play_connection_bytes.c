#include "play.h"

#include "connection_bytes.c"
