/* tests/fixture.c: a context for every test. */
#include "fixture.h"

acre_context *context;

void context_set_up(void)
{
    expect_ok(acre_context_create(&context));
}

void context_tear_down(void)
{
    acre_context_destroy(context);
}

void note_progress(void *data, uint64_t done, uint64_t total)
{
    uint64_t *seen = data;
    ck_assert(done > seen[0] && done <= total);
    seen[0] = done;
    seen[1] = total;
    ++seen[2];
}
