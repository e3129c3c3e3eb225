/* core/program/random.c: Philox 4x32-10 and uniform numbers from it. */
#include "core/program/random.h"

void acre_philox(uint64_t key, const uint32_t counter[4], uint32_t words[4])
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

void acre_random_uniform(enum acre_exec_word word, size_t n, const int64_t *sites, uint64_t seed, uint32_t draw,
                         size_t count, void *const *planes)
{
    const size_t block = word == ACRE_EXEC_FLOAT ? 4 : 2;
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < count; k += block) {
            const uint64_t site = (uint64_t)sites[i];
            const uint32_t counter[4] = {(uint32_t)site, (uint32_t)(site >> 32), (uint32_t)(k / block), draw};
            uint32_t w[4];
            acre_philox(seed, counter, w);
            for (size_t j = 0; j < block && k + j < count; ++j) {
                if (word == ACRE_EXEC_FLOAT) {
                    ((float *)planes[k + j])[i] = ((float)(w[j] >> 9) + 0.5f) * 0x1p-23f;
                } else {
                    const uint64_t wide = w[2 * j] | (uint64_t)w[2 * j + 1] << 32;
                    ((double *)planes[k + j])[i] = ((double)(wide >> 12) + 0.5) * 0x1p-52;
                }
            }
        }
}
