// The C standard (C11 5.2.4.2.1); xnu: bsd/sys/syslimits.h
#pragma once

#define PATH_MAX 1024
