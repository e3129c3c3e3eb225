/* tests/test_plugin_loader.c: which files and folders the loader passes over, and with what words. Plugins that
 * can be loaded but are no good are the matter of tests/command_backend_plugins.sh. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/device/loader.h"

Suite *acre_suite_plugin_loader(void);

static acre_status take_none(void *user, const acre_backend *backend, const char *path)
{
    (void)backend;
    (void)path;
    ++*(int *)user;
    return ACRE_OK;
}

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void make_folder(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%.40s/acre.XXXXXX", base && strlen(base) <= 40 ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void write_text(const char *name)
{
    FILE *file = fopen(in_folder(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs("this is no shared object\n", file);
    fclose(file);
}

/* The reason that is kept for a path; NULL: none is. */
static const struct acre_passed_over *reason_of(const struct acre_passed_over *first, const char *path)
{
    while (first && strcmp(first->path, path) != 0)
        first = first->next;
    return first;
}

START_TEST(what_is_no_plugin_is_passed_over)
{
    static const struct {
        const char *file, *name, *reason;
    } rows[] = {
        {"acre_text.so", "text", "it can't be loaded: "},
        {"acre_folder.so", "folder", "not a file"},
        {"acre_dangling.so", "dangling", "it can't be loaded: "},
        {"acre_UPPER.so", "", "lower-case letters and digits"},
        {"acre_a-b.so", "", "lower-case letters and digits"},
        {"acre_0123456789012345678901234567890123.so", "", "1 to 31"},
    };
    static const char *const strangers[] = {"acre_text.txt", "libacre_x.so", "acre_.so", "other.so"};
    struct acre_passed_over *passed_over = NULL;
    int taken = 0;
    make_folder();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (strstr(rows[i].file, "folder"))
            ck_assert_int_eq(mkdir(in_folder(rows[i].file), 0700), 0);
        else if (strstr(rows[i].file, "dangling"))
            ck_assert_int_eq(symlink("nowhere", in_folder(rows[i].file)), 0);
        else
            write_text(rows[i].file);
    }
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); ++i)
        write_text(strangers[i]);
    ck_assert_int_eq(acre_loader_scan(folder, NULL, take_none, &taken, &passed_over), ACRE_OK);
    ck_assert_int_eq(taken, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct acre_passed_over *found = reason_of(passed_over, in_folder(rows[i].file));
        ck_assert_msg(found != NULL, "nothing is said of %s", rows[i].file);
        ck_assert_str_eq(found->name, rows[i].name);
        ck_assert_msg(strstr(found->reason, rows[i].reason) != NULL, "%s: %s", rows[i].file, found->reason);
        ck_assert_int_eq(remove(in_folder(rows[i].file)), 0);
    }
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); ++i) {
        ck_assert_ptr_null(reason_of(passed_over, in_folder(strangers[i])));
        unlink(in_folder(strangers[i]));
    }
    acre_loader_free(passed_over);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(relative_and_missing_folders_are_passed_over)
{
    static const char *const names[] = {"plugins", "", ".", "../plugins", "/nonexistent/plugins"};
    struct acre_passed_over *passed_over = NULL;
    int taken = 0;
    ck_assert_int_eq(acre_loader_scan("plugins::.:../plugins:/nonexistent/plugins", NULL, take_none, &taken,
                                      &passed_over),
                     ACRE_OK);
    const struct acre_passed_over *at = passed_over;
    for (size_t i = 0; i < 5; ++i, at = at->next) {
        ck_assert_ptr_nonnull(at);
        ck_assert_str_eq(at->path, names[i]);
        ck_assert_str_eq(at->name, "");
        ck_assert_ptr_nonnull(
            strstr(at->reason, i < 4 ? "not an absolute folder" : "can't be read: No such file"));
    }
    ck_assert_ptr_null(at);
    acre_loader_free(passed_over);
}
END_TEST

/* The library's own folder need not be there; no list at all is fine, too. */
START_TEST(a_missing_folder_of_the_library_is_no_matter)
{
    struct acre_passed_over *passed_over = NULL;
    int taken = 0;
    ck_assert_int_eq(acre_loader_scan("", "/nonexistent/acre", take_none, &taken, &passed_over), ACRE_OK);
    ck_assert_int_eq(acre_loader_scan("", NULL, take_none, &taken, &passed_over), ACRE_OK);
    ck_assert_ptr_null(passed_over);
}
END_TEST

START_TEST(the_own_folder_is_absolute)
{
    char *own = acre_loader_own_folder();
    ck_assert_ptr_nonnull(own);
    ck_assert_int_eq(own[0], '/');
    free(own);
}
END_TEST

Suite *acre_suite_plugin_loader(void)
{
    Suite *suite = suite_create("plugin_loader");
    TCase *test = tcase_create("plugin_loader");
    tcase_add_test(test, what_is_no_plugin_is_passed_over);
    tcase_add_test(test, relative_and_missing_folders_are_passed_over);
    tcase_add_test(test, a_missing_folder_of_the_library_is_no_matter);
    tcase_add_test(test, the_own_folder_is_absolute);
    suite_add_tcase(suite, test);
    return suite;
}
