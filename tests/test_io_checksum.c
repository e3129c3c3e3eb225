/* tests/test_io_checksum.c: the checksums of gauge files against plain implementations. */
#include <check.h>

#include "gauge_files.h"
#include "io/checksum.h"

Suite *acre_suite_io_checksum(void);

enum { SITE = 96, SITES = 70 }; /* more than 31 sites, and more than 2 x 31 words */

static void fill(unsigned char data[SITE * SITES], uint64_t seed)
{
    for (int i = 0; i < SITE * SITES; ++i)
        data[i] = (unsigned char)random_next(&seed);
}

/* Whole, and in pieces of `sites` sites. */
static void compute(enum acre_checksum_kind kind, bool big, const unsigned char *data, int sites,
                    uint32_t sums[2])
{
    struct acre_checksum checksum;
    acre_checksum_begin(&checksum, kind, big, SITE);
    for (int first = 0; first < SITES; first += sites) {
        int count = SITES - first < sites ? SITES - first : sites;
        acre_checksum_add(&checksum, data + first * SITE, (size_t)count * SITE);
    }
    sums[0] = checksum.sum[0];
    sums[1] = checksum.sum[1];
}

START_TEST(sums_are_those_of_plain_code_however_cut)
{
    static const int cuts[] = {SITES, 1, 7, 31};
    unsigned char data[SITE * SITES];
    uint32_t plain[2], sums[2];
    for (int seed = 0; seed < 8; ++seed) {
        bool big = seed & 1;
        fill(data, (uint64_t)seed);
        for (int c = 0; c < 4; ++c) {
            compute(ACRE_CHECKSUM_NERSC, big, data, cuts[c], sums);
            ck_assert_uint_eq(sums[0], plain_nersc_sum(data, sizeof data, big));
            ck_assert_uint_eq(sums[1], 0);
            compute(ACRE_CHECKSUM_MILC, big, data, cuts[c], sums);
            plain_milc_sums(data, sizeof data, big, plain);
            ck_assert_uint_eq(sums[0], plain[0]);
            ck_assert_uint_eq(sums[1], plain[1]);
            compute(ACRE_CHECKSUM_SCIDAC, big, data, cuts[c], sums);
            plain_scidac_sums(data, SITE, SITES, plain);
            ck_assert_uint_eq(sums[0], plain[0]);
            ck_assert_uint_eq(sums[1], plain[1]);
        }
    }
}
END_TEST

START_TEST(known_values)
{
    struct acre_checksum checksum;
    /* CRC-32's own check value, at ranks 0 and 1. */
    acre_checksum_begin(&checksum, ACRE_CHECKSUM_SCIDAC, true, 9);
    acre_checksum_add(&checksum, "123456789", 9);
    ck_assert_uint_eq(checksum.sum[0], 0xcbf43926);
    ck_assert_uint_eq(checksum.sum[1], 0xcbf43926);
    acre_checksum_add(&checksum, "123456789", 9);
    ck_assert_uint_eq(checksum.sum[0], 0xcbf43926 ^ 0x97e8724d);
    acre_checksum_begin(&checksum, ACRE_CHECKSUM_NERSC, true, 4);
    acre_checksum_add(&checksum, "\xff\xff\xff\xff\0\0\0\x02", 8);
    ck_assert_uint_eq(checksum.sum[0], 1);
}
END_TEST

Suite *acre_suite_io_checksum(void)
{
    Suite *suite = suite_create("io_checksum");
    TCase *sums = tcase_create("sums");
    tcase_add_test(sums, sums_are_those_of_plain_code_however_cut);
    tcase_add_test(sums, known_values);
    suite_add_tcase(suite, sums);
    return suite;
}
