/* tests/test_half.c: binary16 conversions against integer arithmetic written down from the standard's
 * definition, and against the values that the documents promise. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/lattice/half.h"

Suite *acre_suite_half(void);

enum { BATCH = 1000 };

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* signbit() gives any number but 0 for "yes", and not the same one for float and double. */
static bool same_double(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static bool is_nan_half(uint16_t half)
{
    return (half & 0x7fff) > 0x7c00;
}

/* The value of a pattern by its definition: fraction x 2^exponent. */
static double value_of(uint16_t half)
{
    int exponent = (half >> 10) & 31, fraction = half & 1023;
    double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -value : value;
}

/* The nearest pattern by division with remainder: how many units of the last place go into the mantissa, and is
 * what remains more than half a unit? */
static uint16_t nearest(double value)
{
    uint64_t bits, unit, rest;
    memcpy(&bits, &value, sizeof(bits));
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    uint64_t mantissa = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52;

    if (exponent == 1024)
        return sign | (mantissa << 12 ? 0x7e00 : 0x7c00);
    int unit_exponent = exponent - 10 < -24 ? -24 : exponent - 10;
    if (unit_exponent - (exponent - 52) > 54)
        return sign; /* less than a quarter of the smallest number */
    unit = UINT64_C(1) << (unit_exponent - (exponent - 52));
    uint64_t units = mantissa / unit;
    rest = mantissa % unit;
    if (rest > unit / 2 || (rest == unit / 2 && units % 2 == 1))
        ++units;
    if (unit_exponent > 5 || (unit_exponent == 5 && units > 2047))
        return sign | 0x7c00;
    return (uint16_t)(sign | (((unit_exponent + 24) << 10) + (int)units));
}

static bool same_half(uint16_t a, uint16_t b)
{
    return a == b || (is_nan_half(a) && is_nan_half(b) && (a & 0x8000) == (b & 0x8000));
}

static void expect_from_double(double value)
{
    uint16_t got = acre_half_from_double(value), wanted = nearest(value);
    if (!same_half(got, wanted))
        ck_abort_msg("double %a gives %04x, must give %04x", value, got, wanted);
}

static void expect_from_float(float value)
{
    uint16_t got = acre_half_from_float(value), wanted = nearest((double)value);
    if (!same_half(got, wanted))
        ck_abort_msg("float %a gives %04x, must give %04x", (double)value, got, wanted);
}

START_TEST(every_pattern_has_its_value)
{
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
        uint16_t half = (uint16_t)pattern;
        double wanted = value_of(half), got = acre_half_to_double(half);
        float got_float = acre_half_to_float(half);
        if (!same_double(got, wanted) || !same_double((double)got_float, wanted))
            ck_abort_msg("%04x reads as %a and %a, must be %a", pattern, got, (double)got_float, wanted);
    }
}
END_TEST

START_TEST(every_pattern_comes_back)
{
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
        uint16_t half = (uint16_t)pattern;
        uint16_t by_float = acre_half_from_float(acre_half_to_float(half));
        uint16_t by_double = acre_half_from_double(acre_half_to_double(half));
        if (!same_half(by_float, half) || !same_half(by_double, half))
            ck_abort_msg("%04x comes back as %04x by float, %04x by double", pattern, by_float, by_double);
    }
}
END_TEST

static const struct {
    double stored, read;
    uint16_t bits;
    bool is_float_too; /* the float nearest to it must give the same */
} promised[] = {
    {1.0 / 3, 0.333251953125, 0x3555, true},
    {1000.3, 1000.5, 0x63d1, true},
    {65504, 65504, 0x7bff, true},
    {65519.99, 65504, 0x7bff, true},
    {65520, INFINITY, 0x7c00, true},
    {70000, INFINITY, 0x7c00, true},
    {-70000, -INFINITY, 0xfc00, true},
    {1e300, INFINITY, 0x7c00, true},
    {1e-6, 1.0132789611816406e-06, 0x0011, true},
    {0x1p-24, 5.960464477539063e-08, 0x0001, true},
    {0x1p-25, 0, 0x0000, true},
    {1e-8, 0, 0x0000, true},
    {1e-300, 0, 0x0000, true},
    {3 * 0x1p-25, 1.1920928955078125e-07, 0x0002, true},
    {1 + 0x1p-11, 1, 0x3c00, true},
    {1 + 3 * 0x1p-11, 1.001953125, 0x3c02, true},
    {2049, 2048, 0x6800, true},
    {2051, 2052, 0x6802, true},
    {1 + 0x1p-11 + 0x1p-40, 1.0009765625, 0x3c01, false}, /* by way of float it would be 3c00 */
    {0x1p-25 + 0x1p-60, 0x1p-24, 0x0001, false},
    {65520 - 0x1p-30, 65504, 0x7bff, false},
    {0.0, 0.0, 0x0000, true},
    {-0.0, -0.0, 0x8000, true},
    {-0x1p-30, -0.0, 0x8000, true},
    {INFINITY, INFINITY, 0x7c00, true},
    {-INFINITY, -INFINITY, 0xfc00, true},
    {0x1p-14, 0x1p-14, 0x0400, true},
    {0x1p-14 - 0x1p-26, 0x1p-14, 0x0400, true}, /* the largest subnormal is 2^-14 - 2^-24 */
};

START_TEST(promised_values_hold)
{
    double stored = promised[_i].stored, read = promised[_i].read;
    uint16_t bits = promised[_i].bits;
    ck_assert_uint_eq(acre_half_from_double(stored), bits);
    if (promised[_i].is_float_too)
        ck_assert_uint_eq(acre_half_from_float((float)stored), bits);
    ck_assert(same_double(acre_half_to_double(bits), read));
}
END_TEST

START_TEST(ties_and_their_neighbours_round_right)
{
    for (uint16_t half = 0; half <= 0x7c00; ++half) {
        /* Between two patterns; beyond the largest number the next one would be 65536. */
        double low = half < 0x7c00 ? value_of(half) : 65536;
        double high = half < 0x7bff ? value_of((uint16_t)(half + 1)) : 65536 + 64;
        double middle = (low + high) / 2;
        for (int sign = -1; sign <= 1; sign += 2) {
            const double points[] = {low, middle};
            for (int p = 0; p < 2; ++p) {
                double at = sign * points[p];
                float at_float = (float)at; /* exact */
                expect_from_double(at);
                expect_from_double(nextafter(at, INFINITY));
                expect_from_double(nextafter(at, -INFINITY));
                expect_from_float(at_float);
                expect_from_float(nextafterf(at_float, INFINITY));
                expect_from_float(nextafterf(at_float, -INFINITY));
                expect_from_double((double)nextafterf(at_float, INFINITY));
            }
        }
    }
}
END_TEST

START_TEST(extreme_values_round_right)
{
    const double values[] = {DBL_MAX, DBL_MIN, DBL_TRUE_MIN, FLT_MAX, FLT_MIN, FLT_TRUE_MIN, INFINITY, 0.0};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        expect_from_double(values[i]);
        expect_from_double(-values[i]);
        expect_from_float((float)values[i]);
        expect_from_float((float)-values[i]);
    }
}
END_TEST

START_TEST(nan_stays_nan_whatever_its_payload)
{
    for (int bit = 0; bit < 52; ++bit) {
        uint64_t bits = UINT64_C(0x7ff) << 52 | UINT64_C(1) << bit;
        double value;
        memcpy(&value, &bits, sizeof(value));
        ck_assert_uint_gt(acre_half_from_double(value) & 0x7fff, 0x7c00);
        if (bit < 23) {
            uint32_t float_bits = UINT32_C(0xff) << 23 | UINT32_C(1) << bit;
            float float_value;
            memcpy(&float_value, &float_bits, sizeof(float_value));
            ck_assert_uint_gt(acre_half_from_float(float_value) & 0x7fff, 0x7c00);
        }
    }
}
END_TEST

/* Any bits on odd calls; on even ones any mantissa with an exponent that halves reach. */
static double random_double(uint64_t *state, bool any)
{
    uint64_t bits = random_bits(state);
    double value;
    if (!any)
        bits = (bits & UINT64_C(0x800fffffffffffff)) | (1023 - 28 + (bits >> 52) % 46) << 52;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float random_float(uint64_t *state, bool any)
{
    uint32_t bits = (uint32_t)random_bits(state);
    float value;
    if (!any)
        bits = (bits & 0x807fffff) | (127 - 28 + (bits >> 23) % 46) << 23;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

START_TEST(runs_of_a_million_doubles_round_right)
{
    double values[BATCH], back[BATCH];
    uint16_t halves[BATCH];
    uint64_t state = 1;
    for (int batch = 0; batch < 1000; ++batch) {
        for (int i = 0; i < BATCH; ++i)
            values[i] = random_double(&state, batch % 4 == 0);
        acre_halves_from_doubles(values, halves, BATCH);
        acre_halves_to_doubles(halves, back, BATCH);
        for (int i = 0; i < BATCH; ++i) {
            if (!same_half(halves[i], nearest(values[i])))
                ck_abort_msg("double %a gives %04x, must give %04x", values[i], halves[i], nearest(values[i]));
            if (!same_double(back[i], value_of(halves[i])))
                ck_abort_msg("%04x reads as %a", halves[i], back[i]);
        }
    }
}
END_TEST

START_TEST(runs_of_a_million_floats_round_right)
{
    float values[BATCH], back[BATCH];
    uint16_t halves[BATCH];
    uint64_t state = 2;
    for (int batch = 0; batch < 1000; ++batch) {
        for (int i = 0; i < BATCH; ++i)
            values[i] = random_float(&state, batch % 4 == 0);
        acre_halves_from_floats(values, halves, BATCH);
        acre_halves_to_floats(halves, back, BATCH);
        for (int i = 0; i < BATCH; ++i) {
            if (!same_half(halves[i], nearest((double)values[i])))
                ck_abort_msg("float %a gives %04x", (double)values[i], halves[i]);
            if (!same_double((double)back[i], value_of(halves[i])))
                ck_abort_msg("%04x reads as %a", halves[i], (double)back[i]);
        }
    }
}
END_TEST

/* Vector code has remainders: every length up to a few vectors, at every alignment, and nothing beyond. */
START_TEST(runs_of_every_length_stay_inside)
{
    enum { MOST = 40 };
    float floats[MOST];
    double doubles[MOST];
    uint16_t halves[MOST + 2];
    for (int i = 0; i < MOST; ++i)
        doubles[i] = floats[i] = (float)i + 0.25f;
    for (size_t begin = 0; begin < 8; ++begin) {
        for (size_t count = 0; begin + count <= MOST; ++count) {
            memset(halves, 0xff, sizeof(halves));
            acre_halves_from_floats(floats + begin, halves + begin, count);
            for (size_t i = 0; i < MOST + 2; ++i)
                ck_assert_uint_eq(halves[i], i >= begin && i < begin + count ? nearest(doubles[i]) : 0xffff);
            memset(halves, 0xff, sizeof(halves));
            acre_halves_from_doubles(doubles + begin, halves + begin, count);
            for (size_t i = 0; i < MOST + 2; ++i)
                ck_assert_uint_eq(halves[i], i >= begin && i < begin + count ? nearest(doubles[i]) : 0xffff);
        }
    }
}
END_TEST

Suite *acre_suite_half(void)
{
    Suite *suite = suite_create("half");
    TCase *tests = tcase_create("half");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_pattern_has_its_value);
    tcase_add_test(tests, every_pattern_comes_back);
    tcase_add_loop_test(tests, promised_values_hold, 0, sizeof(promised) / sizeof(promised[0]));
    tcase_add_test(tests, ties_and_their_neighbours_round_right);
    tcase_add_test(tests, extreme_values_round_right);
    tcase_add_test(tests, nan_stays_nan_whatever_its_payload);
    tcase_add_test(tests, runs_of_a_million_doubles_round_right);
    tcase_add_test(tests, runs_of_a_million_floats_round_right);
    tcase_add_test(tests, runs_of_every_length_stay_inside);
    suite_add_tcase(suite, tests);
    return suite;
}
