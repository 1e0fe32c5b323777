#include "play.h"

#include "server_hello.c"
