/* tests/test_io_text.c: numbers, words and XML in headers written by others. */
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "io/xml.h"

Suite *acre_suite_io_text(void);

#define T(string) ((struct acre_text){string, sizeof(string) - 1})

START_TEST(integers_are_whole_texts)
{
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } rows[] = {
        {"4", true, 4},
        {" 64 \r", true, 64},
        {"-4", true, -4},
        {"+7", true, 7},
        {"007", true, 7},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"4x", false, 0},
        {"4 4", false, 0},
        {"4.0", false, 0},
        {"0x4", false, 0},
        {"1e3", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        int64_t value = 123;
        ck_assert_msg(acre_text_integer(acre_text_of(rows[i].text), &value) == rows[i].good, "'%s'",
                      rows[i].text);
        ck_assert_msg(value == (rows[i].good ? rows[i].value : 123), "'%s' is %lld", rows[i].text,
                      (long long)value);
    }
}
END_TEST

START_TEST(hexadecimals_come_in_several_forms)
{
    static const struct {
        const char *text;
        bool good;
        uint32_t value;
    } rows[] = {
        {"2fc07bbf", true, 0x2fc07bbf},
        {"0x1c231a18", true, 0x1c231a18},
        {"0x3c553b", true, 0x3c553b},
        {"003c553b", true, 0x3c553b},
        {"B379560A ", true, 0xb379560a},
        {"0", true, 0},
        {"ffffffff", true, 0xffffffff},
        {"100000000", false, 0},
        {"", false, 0},
        {"0x", false, 0},
        {"-1", false, 0},
        {"12g4", false, 0},
        {"0x0x1", false, 0},
        {"12 34", false, 0},
        {"00000000012345678", true, 0x12345678},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint32_t value = 9;
        ck_assert_msg(acre_text_hex32(acre_text_of(rows[i].text), &value) == rows[i].good, "'%s'",
                      rows[i].text);
        ck_assert_msg(value == (rows[i].good ? rows[i].value : 9), "'%s' is %x", rows[i].text, value);
    }
}
END_TEST

START_TEST(decimals_are_strict)
{
    static const char *const bad[] = {"",   "x",    "1.0.0", "0x10",     "1 2", "1,5",
                                      "e5", "nanx", "--1",   "infinite", "."};
    double value = 0;
    ck_assert(acre_text_double(T(" 0.0382422893\r"), &value) && value == 0.0382422893);
    ck_assert(acre_text_double(T("-1.5e-3"), &value) && value == -0.0015);
    ck_assert(acre_text_double(T("+3"), &value) && value == 3);
    ck_assert(acre_text_double(T("nan"), &value) && isnan(value));
    ck_assert(acre_text_double(T("-inf"), &value) && isinf(value) && value < 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        value = 17;
        ck_assert_msg(!acre_text_double(acre_text_of(bad[i]), &value) && value == 17, "'%s'", bad[i]);
    }
}
END_TEST

START_TEST(decimals_survive_a_round_trip)
{
    static const double values[] = {0.1, 1.0 / 3, -0.0, 1e-310, 1.7976931348623157e308, 0.59485015894715083};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char text[32];
        double back;
        ck_assert(acre_text_double(acre_text_of(acre_text_print_double(values[i], text)), &back));
        ck_assert(memcmp(&back, &values[i], sizeof back) == 0);
    }
}
END_TEST

START_TEST(decimals_have_a_point_in_every_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    char text[32], *before = strdup(setlocale(LC_NUMERIC, NULL));
    double value = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (setlocale(LC_NUMERIC, names[i])) {
            ck_assert_str_eq(acre_text_print_double(0.5, text), "0.5");
            ck_assert(acre_text_double(T("0.25"), &value) && value == 0.25);
        }
    setlocale(LC_NUMERIC, before);
    free(before);
}
END_TEST

START_TEST(quotes_and_paths_are_one_printable_line)
{
    char name[16];
    ck_assert_str_eq(acre_text_quote(T("a\nb\x01\xff")).text, "a?b??");
    char longer[100];
    memset(longer, 'x', sizeof longer);
    struct acre_quote quote = acre_text_quote((struct acre_text){longer, sizeof longer});
    ck_assert_uint_eq(strlen(quote.text), 63);
    ck_assert_str_eq(quote.text + 60, "...");
    acre_text_path("a\nb", name, sizeof name);
    ck_assert_str_eq(name, "a?b");
    acre_text_path("123456789012345", name, sizeof name);
    ck_assert_str_eq(name, "123456789012345");
    acre_text_path("1234567890123456", name, sizeof name);
    ck_assert_str_eq(name, "...567890123456");
}
END_TEST

START_TEST(words_are_taken_one_by_one)
{
    struct acre_text rest = T("  4 5\t6 \n");
    ck_assert(acre_text_equal(acre_text_word(&rest), "4"));
    ck_assert(acre_text_equal(acre_text_word(&rest), "5"));
    ck_assert(acre_text_equal(acre_text_word(&rest), "6"));
    ck_assert_uint_eq(acre_text_word(&rest).size, 0);
}
END_TEST

START_TEST(xml_is_found_in_odd_files)
{
    static const struct {
        const char *xml, *tag, *value;
    } rows[] = {
        {"<a><lx>4</lx><ly> 8 </ly></a>", "ly", "8"},
        {"<precision> 64 </precision>", "precision", "64"},
        {"<f s=\"http://x filefmt.xsd><lx>4</lx>", "lx", "4"},
        {"<lx unit='site' >\n 12\n</lx>", "lx", "12"},
        {"<q:lx>3</q:lx>", "lx", "3"},
        {"<lxx>1</lxx><lx>2</lx>", "lx", "2"},
        {"<!-- <lx>1</lx> --><lx>2</lx>", "lx", "2"},
        {"<lx>1</lx><lx>2</lx>", "lx", "1"},
        {"<lx>5", "lx", "5"},
        {"<lx></lx>", "lx", ""},
        {"<lx", "lx", NULL},
        {"<", "lx", NULL},
        {"", "lx", NULL},
        {"<!--<lx>1</lx>", "lx", NULL},
        {"<ly>1</ly>", "lx", NULL},
        {"</lx>", "lx", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct acre_text value;
        bool found = acre_xml_find(acre_text_of(rows[i].xml), rows[i].tag, &value);
        ck_assert_msg(found == (rows[i].value != NULL), "%s", rows[i].xml);
        ck_assert_msg(!found || acre_text_equal(value, rows[i].value), "%s", rows[i].xml);
    }
}
END_TEST

START_TEST(xml_ignores_trailing_nuls)
{
    struct acre_text value;
    ck_assert(acre_xml_find(T("<dims>4 4 4 8 </dims>\0\0"), "dims", &value));
    ck_assert(acre_text_equal(value, "4 4 4 8"));
    ck_assert(acre_xml_find(T("<lx>4\0"), "lx", &value));
    ck_assert(acre_text_equal(value, "4"));
}
END_TEST

Suite *acre_suite_io_text(void)
{
    Suite *suite = suite_create("io_text");
    TCase *texts = tcase_create("texts");
    tcase_add_test(texts, integers_are_whole_texts);
    tcase_add_test(texts, hexadecimals_come_in_several_forms);
    tcase_add_test(texts, decimals_are_strict);
    tcase_add_test(texts, decimals_survive_a_round_trip);
    tcase_add_test(texts, decimals_have_a_point_in_every_locale);
    tcase_add_test(texts, quotes_and_paths_are_one_printable_line);
    tcase_add_test(texts, words_are_taken_one_by_one);
    suite_add_tcase(suite, texts);
    TCase *xml = tcase_create("xml");
    tcase_add_test(xml, xml_is_found_in_odd_files);
    tcase_add_test(xml, xml_ignores_trailing_nuls);
    suite_add_tcase(suite, xml);
    return suite;
}
