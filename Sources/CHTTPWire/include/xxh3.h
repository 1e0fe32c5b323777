// XXH3 with 64 bits and no seed, streaming (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). It shows
// whether the same body came again. It is not a signature, and does not protect against deliberate collisions.
#ifndef WW_XXH3_H
#define WW_XXH3_H

#include <stddef.h>
#include <stdint.h>

/// Inputs of up to 240 bytes are hashed in other ways, so the first bytes are held back, up to this number.
#define WW_XXH3_HELD 256

typedef struct ww_xxh3 {
    uint64_t length;
    uint64_t lanes[8];
    uint32_t stripe;  // the number of the next stripe in its block, and so the place in the secret
    uint32_t pending; // number of bytes that are held back; of a long input at least one
    uint8_t held[WW_XXH3_HELD];
} ww_xxh3;

void ww_xxh3_begin(ww_xxh3 *hash);
void ww_xxh3_add(ww_xxh3 *hash, const uint8_t *bytes, size_t count);
/// The digest of all bytes so far; more may be added afterwards.
uint64_t ww_xxh3_digest(const ww_xxh3 *hash);

#endif
