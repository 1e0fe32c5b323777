// xnu: bsd/sys/signal.h; Libc: include/signal.h
#pragma once
#include <sys/types.h>

typedef uint32_t sigset_t;
typedef void (*sig_t)(int);

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGCHLD 20
#define SIGTTOU 22
#define SIGXFSZ 25
#define SIGWINCH 28
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3

int kill(pid_t process, int signal);
int raise(int signal);
int sigaddset(sigset_t *set, int signal);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigismember(const sigset_t *set, int signal);
int sigpending(sigset_t *set);
int sigwait(const sigset_t *set, int *signal);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
void (*signal(int signal, void (*handler)(int)))(int);
