#include "play.h"

#include "records.c"
