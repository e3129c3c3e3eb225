/* The test program: runs the named suites, or all, in this process; prints TAP, which scripts/check.sh reads.
 * Tests don't fork, as OpenMP threads don't survive it: the script runs each suite in a process of its own. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

#define DECLARE(name) Suite *acre_suite_##name(void);
ACRE_SUITES(DECLARE)

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define ROW(name) {#name, acre_suite_##name},
    ACRE_SUITES(ROW){NULL, NULL},
};

static int run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

static int run_named(const char *name)
{
    for (size_t i = 0; suites[i].name; i++)
        if (strcmp(suites[i].name, name) == 0)
            return run(suites[i].make());
    fprintf(stderr, "no suite is called %s (--list lists them)\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* so that a crash does not take lines with it */
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; suites[i].name; i++)
            puts(suites[i].name);
        return EXIT_SUCCESS;
    }
    for (int i = 1; i < argc; i++)
        failed += run_named(argv[i]);
    if (argc < 2)
        for (size_t i = 0; suites[i].name; i++)
            failed += run(suites[i].make());
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
