#include "play.h"

#include "connection.c"
