/* tests/tools/corrupt.c: writes damaged copies of a file: `corrupt FILE COUNT SEED FOLDER`. Copy i is
 * FOLDER/i and depends on the seed and i alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* A number in [0, below), by splitmix64. */
static size_t random_below(size_t below)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return below ? (size_t)((z ^ (z >> 31)) % below) : 0;
}

/* Most damage goes where the numbers are that a reader trusts. */
static size_t random_place(size_t size)
{
    return random_below(random_below(3) && size > 600 ? 600 : size);
}

/* Put a number that means trouble over 4 or 8 bytes, in either byte order. */
static void put_extreme(unsigned char *data, size_t size)
{
    static const uint64_t extremes[] = {0,
                                        1,
                                        2,
                                        5,
                                        0x7F,
                                        0xFF,
                                        0x7FFF,
                                        0xFFFF,
                                        0x10000,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFF,
                                        0x100000000,
                                        0x7FFFFFFFFFFFFFFF,
                                        0x8000000000000000,
                                        0xFFFFFFFFFFFFFFFF,
                                        0xFFFFFFFFFFFFFFF8};
    const size_t bytes = random_below(2) ? 4 : 8, at = random_place(size) & ~(size_t)3;
    const uint64_t number = extremes[random_below(sizeof(extremes) / sizeof(extremes[0]))];
    const int is_big = (int)random_below(2);
    for (size_t i = 0; i < bytes && at + i < size; ++i)
        data[at + i] = (unsigned char)(number >> (8 * (is_big ? bytes - 1 - i : i)));
}

/* Change one digit of a text, if there is one near the start. */
static void change_digit(unsigned char *data, size_t size)
{
    static const char digits[] = "0123456789-. xe\n";
    for (int tries = 0; tries < 2000; ++tries) {
        unsigned char *c = &data[random_place(size)];
        if (*c >= '0' && *c <= '9') {
            *c = (unsigned char)digits[random_below(sizeof(digits) - 1)];
            return;
        }
    }
}

/* Damage data[size], in place; gives the new size. */
static size_t damage(unsigned char *data, size_t size)
{
    const size_t kind = random_below(6);
    if (size == 0)
        return 0;
    if (kind == 0)
        return random_below(size);
    if (kind == 1) {
        for (size_t n = 1 + random_below(8); n > 0; --n)
            data[random_place(size)] ^= (unsigned char)(1 + random_below(255));
    } else if (kind == 2) {
        put_extreme(data, size);
    } else if (kind == 3) {
        const size_t at = random_place(size), length = random_below(1 + (size - at) / 2);
        memset(data + at, random_below(2) ? 0xFF : 0, length);
    } else if (kind == 4) {
        change_digit(data, size);
    } else {
        const size_t at = random_place(size), gone = 1 + random_below(16);
        if (at + gone < size) {
            memmove(data + at, data + at + gone, size - at - gone);
            return size - gone;
        }
    }
    return size;
}

static unsigned char *load(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    unsigned char *data = NULL;
    if (fseek(in, 0, SEEK_END) == 0 && (*size = (size_t)ftell(in)) > 0 && (data = malloc(*size)) != NULL) {
        rewind(in);
        if (fread(data, 1, *size, in) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(in);
    return data;
}

static int store(const char *folder, unsigned i, const unsigned char *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%u", folder, i);
    FILE *out = fopen(path, "wb");
    if (!out)
        return 0;
    const int is_written = fwrite(data, 1, size, out) == size;
    return (fclose(out) == 0) & is_written;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    if (argc != 5) {
        fprintf(stderr, "usage: corrupt FILE COUNT SEED FOLDER\n");
        return 2;
    }
    unsigned char *whole = load(argv[1], &size), *copy = whole ? malloc(size) : NULL;
    if (!copy) {
        fprintf(stderr, "corrupt: can't read %s\n", argv[1]);
        free(whole);
        return 1;
    }
    int code = 0;
    for (unsigned i = 0; code == 0 && i < strtoul(argv[2], NULL, 10); ++i) {
        state = strtoull(argv[3], NULL, 10) * 1000003 + i;
        memcpy(copy, whole, size);
        const size_t left = damage(copy, size);
        if (!store(argv[4], i, copy, left)) {
            fprintf(stderr, "corrupt: can't write to %s\n", argv[4]);
            code = 1;
        }
    }
    free(whole);
    free(copy);
    return code;
}
