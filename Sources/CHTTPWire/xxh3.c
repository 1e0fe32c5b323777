#include "xxh3.h"

#include <string.h>

#define PRIME32_1 0x9E3779B1u
#define PRIME32_2 0x85EBCA77u
#define PRIME32_3 0xC2B2AE3Du
#define PRIME64_1 0x9E3779B185EBCA87ull
#define PRIME64_2 0xC2B2AE3D27D4EB4Full
#define PRIME64_3 0x165667B19E3779F9ull
#define PRIME64_4 0x85EBCA77C2B2AE63ull
#define PRIME64_5 0x27D4EB2F165667C5ull
#define PRIME_MX1 0x165667919E3779F9ull
#define PRIME_MX2 0x9FB21C651E98DF25ull

#define STRIPE 64
/// A block ends where the secret ends, because each stripe starts eight bytes further into the secret.
#define STRIPES_OF_BLOCK 16

static const uint8_t secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static uint32_t read32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint64_t read64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint64_t rotate_left(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static uint64_t fold(uint64_t one, uint64_t other) {
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t avalanche(uint64_t value) {
    value = (value ^ value >> 37) * PRIME_MX1;
    return value ^ value >> 32;
}

/// The final mix of XXH64, which XXH3 uses for some short inputs.
static uint64_t old_avalanche(uint64_t value) {
    value = (value ^ value >> 33) * PRIME64_2;
    value = (value ^ value >> 29) * PRIME64_3;
    return value ^ value >> 32;
}

// MARK: short inputs

static uint64_t digest_to_16(const uint8_t *bytes, size_t count) {
    if (count > 8) {
        uint64_t low = read64(bytes) ^ read64(secret + 24) ^ read64(secret + 32);
        uint64_t high = read64(bytes + count - 8) ^ read64(secret + 40) ^ read64(secret + 48);
        return avalanche(count + __builtin_bswap64(low) + high + fold(low, high));
    }
    if (count >= 4) {
        uint64_t value = read32(bytes + count - 4) + ((uint64_t)read32(bytes) << 32);
        value ^= read64(secret + 8) ^ read64(secret + 16);
        value = (value ^ rotate_left(value, 49) ^ rotate_left(value, 24)) * PRIME_MX2;
        value = (value ^ ((value >> 35) + count)) * PRIME_MX2;
        return value ^ value >> 28;
    }
    if (count == 0) return old_avalanche(read64(secret + 56) ^ read64(secret + 64));
    uint32_t value = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[count >> 1] << 24 | bytes[count - 1] | (uint32_t)count << 8;
    return old_avalanche(value ^ (uint64_t)(read32(secret) ^ read32(secret + 4)));
}

static uint64_t mix(const uint8_t *bytes, const uint8_t *key) {
    return fold(read64(bytes) ^ read64(key), read64(bytes + 8) ^ read64(key + 8));
}

/// Mixes sixteen bytes at a time, from both ends.
static uint64_t digest_to_128(const uint8_t *bytes, size_t count) {
    uint64_t value = count * PRIME64_1;
    for (size_t i = 0; i <= (count - 1) / 32; i++) {
        value += mix(bytes + 16 * i, secret + 32 * i) + mix(bytes + count - 16 * (i + 1), secret + 32 * i + 16);
    }
    return avalanche(value);
}

static uint64_t digest_to_240(const uint8_t *bytes, size_t count) {
    uint64_t value = count * PRIME64_1;
    for (size_t i = 0; i < 8; i++) value += mix(bytes + 16 * i, secret + 16 * i);
    value = avalanche(value);
    for (size_t i = 8; i < count / 16; i++) value += mix(bytes + 16 * i, secret + 16 * (i - 8) + 3);
    return avalanche(value + mix(bytes + count - 16, secret + 136 - 17));
}

// MARK: long inputs

/// Eight lanes at once; the compiler uses the vector instructions that the processor has.
typedef uint64_t vector __attribute__((vector_size(STRIPE)));

typedef uint32_t (*take_stripes)(uint64_t lanes[8], uint32_t stripe, const uint8_t *bytes, size_t count);

/// Takes `count` stripes, and returns the number of the next stripe in its block.
static inline __attribute__((always_inline)) uint32_t take(
    uint64_t lanes[8], uint32_t stripe, const uint8_t *bytes, size_t count) {
    vector sum, data, key;
    memcpy(&sum, lanes, sizeof sum);
    for (; count; count--, bytes += STRIPE) {
        memcpy(&data, bytes, sizeof data);
        memcpy(&key, secret + 8 * stripe, sizeof key);
        key ^= data;
        sum += __builtin_shufflevector(data, data, 1, 0, 3, 2, 5, 4, 7, 6) + (key & 0xFFFFFFFF) * (key >> 32);
        if (++stripe < STRIPES_OF_BLOCK) continue;
        memcpy(&key, secret + sizeof secret - STRIPE, sizeof key);
        sum = (sum ^ sum >> 47 ^ key) * PRIME32_1;
        stripe = 0;
    }
    memcpy(lanes, &sum, sizeof sum);
    return stripe;
}

static uint32_t take_anywhere(uint64_t lanes[8], uint32_t stripe, const uint8_t *bytes, size_t count) {
    return take(lanes, stripe, bytes, count);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static uint32_t take_avx2(
    uint64_t lanes[8], uint32_t stripe, const uint8_t *bytes, size_t count) {
    return take(lanes, stripe, bytes, count);
}

static take_stripes best(void) { return __builtin_cpu_supports("avx2") ? take_avx2 : take_anywhere; }
#else
static take_stripes best(void) { return take_anywhere; }
#endif

static uint64_t merge(const uint64_t lanes[8], uint64_t length) {
    uint64_t value = length * PRIME64_1;
    for (int i = 0; i < 8; i += 2) {
        value += fold(lanes[i] ^ read64(secret + 11 + 8 * i), lanes[i + 1] ^ read64(secret + 19 + 8 * i));
    }
    return avalanche(value);
}

// MARK: streaming

void ww_xxh3_begin(ww_xxh3 *hash) {
    static const uint64_t begin[8] = {
        PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1,
    };
    hash->length = hash->stripe = hash->pending = 0;
    memcpy(hash->lanes, begin, sizeof begin);
}

void ww_xxh3_add(ww_xxh3 *hash, const uint8_t *bytes, size_t count) {
    hash->length += count;
    if (count > WW_XXH3_HELD - hash->pending) {
        take_stripes take = best();
        if (hash->pending) {
            size_t room = WW_XXH3_HELD - hash->pending;
            memcpy(hash->held + hash->pending, bytes, room);
            hash->stripe = take(hash->lanes, hash->stripe, hash->held, WW_XXH3_HELD / STRIPE);
            hash->pending = 0;
            bytes += room;
            count -= room;
        }
        if (count > WW_XXH3_HELD) {
            size_t stripes = (count - 1) / STRIPE;
            hash->stripe = take(hash->lanes, hash->stripe, bytes, stripes);
            bytes += stripes * STRIPE;
            count -= stripes * STRIPE;
            // The last stripe of all input may start among these bytes.
            memcpy(hash->held + WW_XXH3_HELD - STRIPE, bytes - STRIPE, STRIPE);
        }
    }
    memcpy(hash->held + hash->pending, bytes, count);
    hash->pending += (uint32_t)count;
}

uint64_t ww_xxh3_digest(const ww_xxh3 *hash) {
    const uint8_t *held = hash->held;
    if (hash->length <= 16) return digest_to_16(held, hash->length);
    if (hash->length <= 128) return digest_to_128(held, hash->length);
    if (hash->length <= 240) return digest_to_240(held, hash->length);
    uint64_t lanes[8];
    uint8_t last[STRIPE];
    memcpy(lanes, hash->lanes, sizeof lanes);
    size_t pending = hash->pending;
    if (pending >= STRIPE) {
        take_anywhere(lanes, hash->stripe, held, (pending - 1) / STRIPE);
        memcpy(last, held + pending - STRIPE, STRIPE);
    } else {
        memcpy(last, held + WW_XXH3_HELD - (STRIPE - pending), STRIPE - pending);
        memcpy(last + STRIPE - pending, held, pending);
    }
    // The last stripe has its own place in the secret, and does not end a block.
    for (int lane = 0; lane < 8; lane++) {
        uint64_t data = read64(last + 8 * lane), key = data ^ read64(secret + sizeof secret - STRIPE - 7 + 8 * lane);
        lanes[lane ^ 1] += data;
        lanes[lane] += (key & 0xFFFFFFFF) * (key >> 32);
    }
    return merge(lanes, hash->length);
}
