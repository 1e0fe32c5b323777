// libpthread: include/pthread/pthread.h, include/pthread/sched.h, include/sys/_pthread/_pthread_types.h
#pragma once
#include <signal.h>
#include <stdint.h>
#include <time.h>

typedef struct _opaque_pthread_t {
    long __sig;
    char __opaque[8176];
} *pthread_t;
typedef struct _opaque_pthread_attr_t {
    long __sig;
    char __opaque[56];
} pthread_attr_t;
typedef struct _opaque_pthread_mutex_t {
    long __sig;
    char __opaque[56];
} pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t {
    long __sig;
    char __opaque[8];
} pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t {
    long __sig;
    char __opaque[40];
} pthread_cond_t;
typedef struct _opaque_pthread_condattr_t {
    long __sig;
    char __opaque[8];
} pthread_condattr_t;
typedef struct _opaque_pthread_rwlock_t {
    long __sig;
    char __opaque[192];
} pthread_rwlock_t;
typedef struct _opaque_pthread_once_t {
    long __sig;
    char __opaque[8];
} pthread_once_t;
typedef unsigned long pthread_key_t;

#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
#define PTHREAD_COND_INITIALIZER {0x3CB0B1BB, {0}}
#define PTHREAD_RWLOCK_INITIALIZER {0x2DA8B3B4, {0}}
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
#define PTHREAD_MUTEX_RECURSIVE 2

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_equal(pthread_t _Nullable left, pthread_t _Nullable right);
void *pthread_getspecific(pthread_key_t key);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type);
int pthread_once(pthread_once_t *once, void (*function)(void));
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
pthread_t _Nonnull pthread_self(void);
int pthread_setname_np(const char *name);
int pthread_setspecific(pthread_key_t key, const void *value);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_threadid_np(pthread_t _Nullable thread, uint64_t *identifier);

int sched_yield(void);
