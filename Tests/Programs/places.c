// Runs instructions for arm64 in their place and where they have been moved to, and compares what they do: to registers,
// flags, vectors and memory, where they go on, and what they fault at.
//
// usage: places [COUNT]     instructions by chance; prints how many were moved
//        places WORD…      these instructions, in hexadecimal

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "moved_code.h"

#define BREAKPOINT 0xd4200000
#define PAGE 65536
#define DATA 65536

/// What a run begins or ends with.
typedef struct state {
    uint64_t registers[31], sp, pc, flags, fault;
    int signal;
    __uint128_t vectors[32];
} state;

static state begin, end;
static ucontext_t outside;
static uint8_t *data, *code, *moved_to;
static uint8_t before[DATA], after[DATA];

static struct fpsimd_context *vectors_of(ucontext_t *context) {
    struct _aarch64_ctx *part = (void *)context->uc_mcontext.__reserved;
    while (part->magic && part->magic != FPSIMD_MAGIC) part = (void *)((uint8_t *)part + part->size);
    return part->magic ? (void *)part : NULL;
}

/// The first signal goes into the code; the next one, whatever it is, comes out of it.
static void handle(int number, siginfo_t *info, void *machine) {
    ucontext_t *context = machine;
    mcontext_t *at = &context->uc_mcontext;
    if (number == SIGUSR1) {
        memcpy(&outside.uc_mcontext, at, sizeof *at);
        memcpy(at->regs, begin.registers, sizeof begin.registers);
        at->sp = begin.sp, at->pc = begin.pc, at->pstate = (at->pstate & ~0xf0000000ULL) | begin.flags;
        memcpy(vectors_of(context)->vregs, begin.vectors, sizeof begin.vectors);
        return;
    }
    memcpy(end.registers, at->regs, sizeof end.registers);
    end.sp = at->sp, end.pc = at->pc, end.flags = at->pstate & 0xf0000000, end.signal = number;
    end.fault = number == SIGSEGV || number == SIGBUS ? (uint64_t)info->si_addr : 0;
    memcpy(end.vectors, vectors_of(context)->vregs, sizeof end.vectors);
    memcpy(at, &outside.uc_mcontext, sizeof *at);
}

static void run(uint64_t place) {
    begin.pc = place;
    memcpy(data, before, DATA);
    raise(SIGUSR1);
    memcpy(after, data, DATA);
}

static uint64_t chance(void) {
    // xorshift
    static uint64_t value = 88172645463325252ULL;
    value ^= value << 13, value ^= value >> 7;
    return value ^= value << 17;
}

static void choose_state(void) {
    // Many registers have an address; the number that is added to it may be small.
    for (int i = 0; i < 31; i++) {
        uint64_t any = chance();
        begin.registers[i] = any & 3 ? (uint64_t)data + 16384 + (any >> 8) % 32768 / 16 * 16 : any & 4 ? any >> 56 : any;
    }
    begin.sp = (uint64_t)data + 32768;
    begin.flags = chance() << 28 & 0xf0000000;
    for (int i = 0; i < 32; i++) begin.vectors[i] = (__uint128_t)chance() << 64 | chance();
    for (int i = 0; i < DATA; i += 8) *(uint64_t *)(before + i) = chance();
}

/// Whether the instruction does in its new place what it does in its own; -1 if it is not moved.
static int is_same(uint32_t word) {
    moved_code moved;
    // Within a page.
    uint64_t from = (uint64_t)code + PAGE / 2 + 0x468, to = (uint64_t)moved_to + PAGE / 2;
    if (!wws_move_arm64(word, from, to, &moved)) return -1;
    if (moved.taken != 4 || moved.size > sizeof moved.bytes) return 0;
    memcpy((void *)from, &word, sizeof word);
    memcpy((void *)to, moved.bytes, moved.size);
    __builtin___clear_cache((char *)from, (char *)from + 4);
    __builtin___clear_cache((char *)to, (char *)to + moved.size);
    choose_state();
    static state one;
    static uint8_t written[DATA];
    run(from);
    one = end;
    memcpy(written, after, DATA);
    run(to);
    // A fault, or what is no instruction, is where it has been moved to.
    int ends_there = end.pc >= to && end.pc < to + moved.size;
    if (ends_there && one.pc == from) end.pc = from;
    if ((word & 0x3b000000) == 0x18000000) {
        // The address of a literal is in a register that is free when a function begins, or in the one to be loaded.
        uint32_t number = word & 31;
        end.registers[17] = one.registers[17];
        if (end.signal == SIGSEGV && number < 31) end.registers[number] = one.registers[number];
    }
    for (size_t i = 0; i < moved.size; i += 4) memcpy((void *)(to + i), &(uint32_t){BREAKPOINT}, 4);
    return memcmp(&one, &end, sizeof one) == 0 && memcmp(written, after, DATA) == 0;
}

/// An instruction by chance, with branches and addresses relative to itself more often than chance has them.
static uint32_t choose(void) {
    static const uint32_t masks[][2] = {
        {0x9f000000, 0x10000000}, {0x9f000000, 0x90000000}, {0xfc000000, 0x14000000}, {0xfc000000, 0x94000000},
        {0xff000010, 0x54000000}, {0x7e000000, 0x34000000}, {0x7e000000, 0x36000000}, {0x3b000000, 0x18000000},
        {0xfffff01f, 0xd503201f}, {0x3a000000, 0x28000000}, {0x3a000000, 0x38000000}, {0x1c000000, 0x10000000},
        {0x0e000000, 0x0a000000}, {0x9ff80c00, 0x0f000400},
    };
    uint32_t word = (uint32_t)chance();
    size_t kind = chance() % (2 * sizeof masks / sizeof *masks);
    if (kind < sizeof masks / sizeof *masks) word = (word & ~masks[kind][0]) | masks[kind][1];
    // Literals are near by, mostly.
    if ((word & 0x3b000000) == 0x18000000 && chance() & 3) word = (word & 0xff00001f) | (uint32_t)(chance() & 0x1ffe0);
    return word;
}

static uint8_t *map(uintptr_t at, size_t size) {
    void *made = mmap((void *)at, size, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (made != (void *)at) {
        perror("mmap");
        exit(1);
    }
    return made;
}

int main(int count, char **arguments) {
    code = map(0x100000000, PAGE), moved_to = map(0x106000000, PAGE), data = map(0x200000000, DATA);
    for (size_t i = 0; i < PAGE; i += 4) {
        memcpy(code + i, &(uint32_t){BREAKPOINT}, 4);
        memcpy(moved_to + i, &(uint32_t){BREAKPOINT}, 4);
    }
    static uint8_t stack[65536];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < 5; i++) sigaction((int[]){SIGUSR1, SIGTRAP, SIGSEGV, SIGBUS, SIGILL}[i], &action, NULL);
    int wrong = 0, moved = 0, all = 0, faults[65] = {0};
    int is_chance = count < 3 && (count < 2 || strlen(arguments[1]) < 8);
    int most = is_chance ? (count > 1 ? atoi(arguments[1]) : 20000) : count - 1;
    for (int i = 0; i < most; i++) {
        uint32_t word = is_chance ? choose() : (uint32_t)strtoul(arguments[i + 1], NULL, 16);
        int result = is_same(word);
        all++, moved += result >= 0;
        if (result >= 0) faults[end.signal]++;
        if (result != 0) continue;
        wrong++;
        fprintf(stderr, "%08x: not the same\n", word);
    }
    printf("%d of %d instructions moved, %d ran to their end, %d faulted, %d are none\n", moved, all, faults[SIGTRAP],
           faults[SIGSEGV] + faults[SIGBUS], faults[SIGILL]);
    return wrong > 0;
}
