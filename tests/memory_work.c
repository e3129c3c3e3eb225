/* tests/memory_work.c: kernels on arrays for tests of the memory manager. */
#include "memory_work.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock_backend.h"

struct job {
    unsigned char *to;
    const unsigned char *from;
    acre_range range;
    int step;
};

static void run(void *argument, size_t begin, size_t end, unsigned worker)
{
    const struct job *job = argument;
    (void)worker;
    for (size_t i = job->range.offset + begin; i < job->range.offset + end; ++i)
        job->to[i] = (unsigned char)((job->from ? job->from[i] : 0) + job->step);
}

static acre_status launch(struct acre_device *device, void *user)
{
    return device->backend->call(device->queue, run, user, ((struct job *)user)->range.bytes);
}

static struct acre_device *device_at(acre_context *context, acre_place place)
{
    return place == ACRE_PLACE_HOST ? &context->devices[0] : acre_context_device_at(context, place);
}

/* uses[0] is written; the last is read. */
static acre_status submit(const char *name, struct acre_use *uses, size_t count, acre_range range, int step,
                          bool reads)
{
    acre_context *context = uses[0].array->context;
    struct acre_submit *submit;
    char label[64];
    acre_status status = acre_submit_begin(context, uses, count, "work.c", 7, &submit);
    if (status != ACRE_OK)
        return status;
    struct job *job = malloc(sizeof(*job));
    mock_must(job != NULL);
    *job = (struct job){uses[0].address, reads ? uses[count - 1].address : NULL, range, step};
    snprintf(label, sizeof(label), "kernel %s", name);
    const struct acre_kernel kernel = {.device = device_at(context, uses[0].place),
                                       .label = label,
                                       .launch = launch,
                                       .user = job,
                                       .finished = free,
                                       .argument = job};
    status = acre_submit_kernel(submit, &kernel);
    if (status != ACRE_OK)
        free(job);
    return acre_submit_end(submit, status);
}

acre_status work_add(const char *name, acre_array *to, acre_array *from, acre_range range, acre_place place,
                     int step)
{
    struct acre_use uses[] = {
        {.array = to, .place = place, .access = ACRE_WRITE, .ranges = &range, .count = 1},
        {.array = from, .place = place, .access = ACRE_READ, .ranges = &range, .count = 1},
    };
    return submit(name, uses, from ? 2 : 1, range, step, from != NULL);
}

acre_status work_increase(const char *name, acre_array *array, acre_range range, acre_place place, int step)
{
    struct acre_use use = {
        .array = array, .place = place, .access = ACRE_READ_WRITE, .ranges = &range, .count = 1};
    return submit(name, &use, 1, range, step, true);
}

acre_array *work_array(acre_context *context, size_t bytes, const char *label)
{
    acre_array *array;
    ck_assert_msg(acre_array_create(context, bytes, false, label, &array) == ACRE_OK, "%s", acre_message());
    return array;
}

void work_fill(acre_array *array, size_t offset, size_t bytes, int value)
{
    const acre_range range = {offset, bytes};
    void *address;
    ck_assert_msg(acre_array_acquire(array, ACRE_PLACE_HOST, ACRE_WRITE, &range, 1, &address) == ACRE_OK, "%s",
                  acre_message());
    memset((unsigned char *)address + offset, value, bytes);
    ck_assert_int_eq(acre_array_release(array, ACRE_PLACE_HOST, ACRE_WRITE, &range, 1), ACRE_OK);
}

bool work_is(acre_array *array, size_t offset, size_t bytes, int value)
{
    const acre_range range = {offset, bytes};
    void *address;
    bool all = true;
    ck_assert_msg(acre_array_acquire(array, ACRE_PLACE_HOST, ACRE_READ, &range, 1, &address) == ACRE_OK, "%s",
                  acre_message());
    for (size_t i = offset; i < offset + bytes; ++i)
        all = all && ((unsigned char *)address)[i] == (unsigned char)value;
    ck_assert_int_eq(acre_array_release(array, ACRE_PLACE_HOST, ACRE_READ, &range, 1), ACRE_OK);
    return all;
}

bool work_has(acre_array *array, acre_place place, size_t byte)
{
    acre_memory_lock(array->memory);
    const bool has = acre_interval_has(acre_interval_map_find(&array->map, byte), place);
    acre_memory_unlock(array->memory);
    return has;
}

void work_expect_message(const char *part)
{
    ck_assert_msg(strstr(acre_message(), part) != NULL, "\"%s\" is not in \"%s\"", part, acre_message());
}

void work_end(acre_context *context, acre_array *a, acre_array *b)
{
    for (int operation = 0; operation < MOCK_OPERATIONS; ++operation)
        mock_fail((enum mock_operation)operation, 0);
    acre_array_destroy(a);
    acre_array_destroy(b);
    acre_context_destroy(context);
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(mock_count().events, 0);
    ck_assert_int_eq(mock_count().pinned, 0);
}
