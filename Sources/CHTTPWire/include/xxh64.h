// XXH64 with seed 0, streaming (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): tells whether the same
// body came again. Not a signature: it does not defend against someone who makes collisions.
#ifndef WW_XXH64_H
#define WW_XXH64_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WW_XXH_PRIME1 0x9E3779B185EBCA87ULL
#define WW_XXH_PRIME2 0xC2B2AE3D27D4EB4FULL
#define WW_XXH_PRIME3 0x165667B19E3779F9ULL
#define WW_XXH_PRIME4 0x85EBCA77C2B2AE63ULL
#define WW_XXH_PRIME5 0x27D4EB2F165667C5ULL

typedef struct ww_xxh64 {
    uint64_t lanes[4];
    uint64_t length;
    uint8_t pending[32];
} ww_xxh64;

static inline uint64_t ww_rotate_left(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static inline uint64_t ww_read64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

static inline uint64_t ww_xxh64_round(uint64_t lane, uint64_t input) {
    return ww_rotate_left(lane + input * WW_XXH_PRIME2, 31) * WW_XXH_PRIME1;
}

static inline void ww_xxh64_begin(ww_xxh64 *hash) {
    memset(hash, 0, sizeof *hash);
    hash->lanes[0] = WW_XXH_PRIME1 + WW_XXH_PRIME2;
    hash->lanes[1] = WW_XXH_PRIME2;
    hash->lanes[3] = 0 - WW_XXH_PRIME1;
}

static inline const uint8_t *ww_xxh64_stripes(ww_xxh64 *hash, const uint8_t *bytes, size_t stripes) {
    uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
    for (; stripes; stripes--, bytes += 32) {
        a = ww_xxh64_round(a, ww_read64(bytes));
        b = ww_xxh64_round(b, ww_read64(bytes + 8));
        c = ww_xxh64_round(c, ww_read64(bytes + 16));
        d = ww_xxh64_round(d, ww_read64(bytes + 24));
    }
    hash->lanes[0] = a;
    hash->lanes[1] = b;
    hash->lanes[2] = c;
    hash->lanes[3] = d;
    return bytes;
}

static inline void ww_xxh64_add(ww_xxh64 *hash, const uint8_t *bytes, size_t count) {
    size_t held = hash->length & 31;
    hash->length += count;
    if (held) {
        size_t room = 32 - held;
        if (count < room) {
            memcpy(hash->pending + held, bytes, count);
            return;
        }
        memcpy(hash->pending + held, bytes, room);
        ww_xxh64_stripes(hash, hash->pending, 1);
        bytes += room;
        count -= room;
    }
    bytes = ww_xxh64_stripes(hash, bytes, count / 32);
    memcpy(hash->pending, bytes, count & 31);
}

/// The digest of all bytes so far; more may be added afterwards.
static inline uint64_t ww_xxh64_digest(const ww_xxh64 *hash) {
    uint64_t value;
    if (hash->length >= 32) {
        value = ww_rotate_left(hash->lanes[0], 1) + ww_rotate_left(hash->lanes[1], 7)
            + ww_rotate_left(hash->lanes[2], 12) + ww_rotate_left(hash->lanes[3], 18);
        for (int lane = 0; lane < 4; lane++) {
            value = (value ^ ww_xxh64_round(0, hash->lanes[lane])) * WW_XXH_PRIME1 + WW_XXH_PRIME4;
        }
    } else {
        value = WW_XXH_PRIME5;
    }
    value += hash->length;
    const uint8_t *rest = hash->pending;
    size_t count = hash->length & 31;
    for (; count >= 8; count -= 8, rest += 8) {
        value = ww_rotate_left(value ^ ww_xxh64_round(0, ww_read64(rest)), 27) * WW_XXH_PRIME1 + WW_XXH_PRIME4;
    }
    if (count >= 4) {
        uint32_t word;
        memcpy(&word, rest, 4);
        value = ww_rotate_left(value ^ word * WW_XXH_PRIME1, 23) * WW_XXH_PRIME2 + WW_XXH_PRIME3;
        rest += 4;
        count -= 4;
    }
    for (; count; count--, rest++) value = ww_rotate_left(value ^ *rest * WW_XXH_PRIME5, 11) * WW_XXH_PRIME1;
    value = (value ^ value >> 33) * WW_XXH_PRIME2;
    value = (value ^ value >> 29) * WW_XXH_PRIME3;
    return value ^ value >> 32;
}

#endif
