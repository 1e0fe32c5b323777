// Detours of functions that begin in all the ways that compilers let them begin.
//
// usage: detours            makes detours, calls the functions, and prints what came of it
//        detours lengths    reads the first 32 bytes of functions, in hexadecimal, a line each; prints how many bytes of each
//                           would be moved, or 0 if it would be refused

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detour.h"
#include "moved_code.h"

typedef int (*function)(int);
int pushes(int), branches(int), reads(int), lands(int), jumps(int), guarded(int), compares(int);
int returns(int), calls(int), loops(int);
int counter = 1000;

#if defined(__x86_64__)
#define LANDING_PAD 0xfa1e0ff3 // endbr64
__asm__(
    ".text\n"
    ".globl pushes\npushes: push %rbp\n mov %rsp, %rbp\n lea 1(%rdi), %eax\n pop %rbp\n ret\n"
    ".globl branches\nbranches: test %edi, %edi\n js 1f\n lea 2(%rdi), %eax\n ret\n1: mov $-1, %eax\n ret\n"
    ".globl reads\nreads: mov counter(%rip), %eax\n add %edi, %eax\n ret\n"
    ".globl lands\nlands: endbr64\n sub $24, %rsp\n lea 4(%rdi), %eax\n add $24, %rsp\n ret\n"
    ".globl jumps\njumps: jmp pushes\n nop\n nop\n"
    ".globl guarded\nguarded: sub $8, %rsp\n mov %fs:0x28, %rax\n mov %rax, (%rsp)\n lea 6(%rdi), %eax\n add $8, %rsp\n ret\n"
    ".globl compares\ncompares: cmpl $5, counter(%rip)\n.byte 0x0f, 0x8f\n.long 1f - . - 4\n xor %eax, %eax\n ret\n1: lea 7(%rdi), %eax\n ret\n"
    ".globl returns\nreturns: ret\n nop\n nop\n nop\n nop\n"
    ".globl calls\ncalls: call pushes\n ret\n"
    ".globl loops\nloops: dec %edi\n jnz loops\n mov $1, %eax\n ret\n");
#else
#define LANDING_PAD 0xd503245f // bti c
__asm__(
    ".text\n"
    ".globl pushes\npushes: stp x29, x30, [sp, -16]!\n add w0, w0, 1\n ldp x29, x30, [sp], 16\n ret\n"
    ".globl branches\nbranches: tbnz w0, 31, 1f\n add w0, w0, 2\n ret\n1: mov w0, -1\n ret\n"
    ".globl reads\nreads: adrp x8, counter\n ldr w8, [x8, :lo12:counter]\n add w0, w0, w8\n ret\n"
    ".balign 65536\n"
    ".globl lands\nlands: hint 34\n cbz w0, 1f\n add w0, w0, 4\n1: ret\n" // bti c
    ".globl guarded\nguarded: hint 25\n add w0, w0, 6\n hint 29\n ret\n" // paciasp, autiasp
    ".balign 65536\n"
    ".globl jumps\njumps: b pushes\n"
    ".globl compares\ncompares: ldr w8, 1f\n add w0, w0, w8\n ret\n1: .word 7\n"
    ".globl returns\nreturns: ret\n"
    ".globl calls\ncalls: svc 0\n ret\n"
    ".globl loops\nloops: cbnz w0, loops\n ret\n");
#endif

static function originals[WIREWEIGHT_MOST_DETOURS];
static int seen;

#define HOOK(number) \
    static int hook##number(int value) { \
        seen++; \
        return originals[number](value); \
    }
HOOK(0) HOOK(1) HOOK(2) HOOK(3) HOOK(4) HOOK(5) HOOK(6)
static function const hooks[] = {hook0, hook1, hook2, hook3, hook4, hook5, hook6};

static void expect(int is_so, const char *what) {
    if (is_so) return;
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
}

/// A thread that has been joined may still be ending.
static void wait_until_alone(void) {
    struct stat status;
    while (stat("/proc/self/task", &status) == 0 && status.st_nlink > 2 + WIREWEIGHT_OWN_THREADS) usleep(1000);
}

static int is_refused(function refused) {
    function original = NULL;
    uint8_t before[16];
    memcpy(before, (const void *)refused, sizeof before);
    detour one = {(void *)refused, (void *)hook0, (void **)&original, false};
    return !wireweight_make_detours(&one, 1) && memcmp(before, (const void *)refused, sizeof before) == 0;
}

static void *wait_for(void *gate) {
    pthread_mutex_lock(gate);
    return NULL;
}

static int lengths(void) {
    static uint8_t code[64];
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        memset(code, 0, sizeof code);
        for (size_t i = 0; i < 32; i++) {
            unsigned byte;
            if (sscanf(line + 2 * i, "%2x", &byte) == 1) code[i] = (uint8_t)byte;
        }
        moved_code moved;
        // Where everything that the code means is within reach.
        printf("%zu\n", wws_move_code(code, (uintptr_t)code + 4096, &moved) ? moved.taken : (size_t)0);
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "lengths") == 0) return lengths();
#ifdef __aarch64__
    // Their pages have no other functions. Linux refuses that where the processor cannot check landing pads.
    int is_checked = mprotect((void *)lands, 65536, PROT_READ | PROT_EXEC | 0x10) == 0;
#endif
    const function all[] = {pushes, branches, reads, lands, jumps, guarded, compares};
    enum { ALL = sizeof all / sizeof *all };
    int before[ALL][3];
    for (int i = 0; i < ALL; i++) {
        for (int value = -1; value < 2; value++) before[i][value + 1] = all[i](value);
    }
    pthread_t thread;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&gate);
    pthread_create(&thread, NULL, wait_for, &gate);
    expect(is_refused(pushes), "refused while another thread runs");
    pthread_mutex_unlock(&gate);
    pthread_join(thread, NULL);
    wait_until_alone();
    pid_t child = fork();
    if (child == 0) {
        // Where memory that was written cannot be made executable (Linux 6.3, prctl 65).
        if (prctl(65, 1, 0, 0, 0) != 0) _exit(0);
        _exit(is_refused(pushes) ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    expect(status == 0, "refused where the system allows no new code");
    child = fork();
    if (child == 0) {
        // A breakpoint of the kernel's, somewhere near.
        uintptr_t page = (uintptr_t)loops & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
        if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) _exit(0);
        *((uint8_t *)loops + 3) ^= 1;
        _exit(is_refused(loops) && is_refused(compares) ? 0 : 1);
    }
    waitpid(child, &status, 0);
    expect(status == 0, "refused where the code is not as in the file");
    expect(is_refused(returns) && is_refused(calls) && is_refused(loops), "refused what cannot be moved");

    detour made[ALL];
    for (int i = 0; i < ALL; i++) made[i] = (detour){(void *)all[i], (void *)hooks[i], (void **)&originals[i], false};
    expect(wireweight_make_detours(made, ALL), "made");
    for (int i = 0; i < ALL; i++) {
        for (int value = -1; value < 2; value++) {
            int times = seen;
            expect(all[i](value) == before[i][value + 1], "the same result");
            expect(seen > times, "the hook is called");
            times = seen;
            expect(originals[i](value) == before[i][value + 1], "the same result of the original");
        }
    }
    uint32_t first;
    memcpy(&first, (const void *)lands, sizeof first);
    expect(first == LANDING_PAD, "where indirect calls land stays");
#ifdef __aarch64__
    printf("landing pads %schecked, ", is_checked ? "" : "not ");
#endif
    printf("%d calls\n", seen);
    return 0;
}
