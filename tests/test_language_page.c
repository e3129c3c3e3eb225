/* tests/test_language_page.c: docs/language.md has every function and word of the language as its table has
 * them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/program/language.h"

Suite *acre_suite_language_page(void);

static char page[64 * 1024];

static void read_page(void)
{
    FILE *file = fopen(ACRE_SOURCE_DIR "/docs/language.md", "r");
    ck_assert_msg(file != NULL, "docs/language.md can't be opened");
    size_t size = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    ck_assert(size > 1000 && size < sizeof page - 1);
    page[size] = '\0';
}

/* "norm2(a), norm2(a, even)" is written `norm2(a)`, `norm2(a, even)`; a bar is escaped. */
static void expect_row(const char *usage, const char *meaning)
{
    char row[512], *to = row;
    to += sprintf(to, "| `");
    for (const char *c = usage; *c; ++c)
        to += strncmp(c, "), ", 3) == 0 ? (c += 2, sprintf(to, ")`, `")) : sprintf(to, "%c", *c);
    to += sprintf(to, "` | ");
    for (const char *c = meaning; *c; ++c)
        to += sprintf(to, *c == '|' ? "\\%c" : "%c", *c);
    sprintf(to, " |\n");
    ck_assert_msg(strstr(page, row) != NULL, "docs/language.md lacks the row: %s", row);
}

START_TEST(every_function_has_its_row)
{
    read_page();
    for (int f = 0; f < ACRE_FUNCTION_COUNT; ++f)
        expect_row(acre_function_rows[f].usage, acre_function_rows[f].meaning);
}
END_TEST

START_TEST(every_word_has_its_row)
{
    read_page();
    for (int w = 0; w < ACRE_WORD_COUNT; ++w)
        expect_row(acre_word_rows[w].name, acre_word_rows[w].meaning);
}
END_TEST

Suite *acre_suite_language_page(void)
{
    Suite *suite = suite_create("language page");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, every_function_has_its_row);
    tcase_add_test(tests, every_word_has_its_row);
    suite_add_tcase(suite, tests);
    return suite;
}
