#include "play.h"

#include "connection_reports.c"
