#include "play.h"

#include "client_hello.c"
