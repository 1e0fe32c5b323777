#include "play.h"

#include "hellos.c"
