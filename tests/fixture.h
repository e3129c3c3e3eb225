/* tests/fixture.h: a context for every test, and expectations with the library's own words. */
#ifndef ACRE_TESTS_FIXTURE_H
#define ACRE_TESTS_FIXTURE_H

#include <check.h>
#include <stdint.h>

#include "acre/context.h"

/* Of the test that runs, between set-up and tear-down. */
extern acre_context *context;
void context_set_up(void);
void context_tear_down(void);

#define expect_ok(call) ck_assert_msg((call) == ACRE_OK, "%s", acre_message())

/* An acre_progress for uint64_t seen[3]: it goes up to the total. Done, total and calls end up in seen. */
void note_progress(void *seen, uint64_t done, uint64_t total);

#endif
