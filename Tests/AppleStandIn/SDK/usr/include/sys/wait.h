// xnu: bsd/sys/wait.h
#pragma once
#include <sys/types.h>

#define WNOHANG 1

pid_t waitpid(pid_t process, int *status, int options);
