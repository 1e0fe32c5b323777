#include "play.h"

#include "exchange.c"
