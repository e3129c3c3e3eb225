/* core/memory/holder.c: making, comparing and matching holders. */
#include "core/memory/holder.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/size.h"

bool acre_access_writes(acre_access access)
{
    return access != ACRE_READ;
}

const char *acre_access_name(acre_access access)
{
    switch (access) {
    case ACRE_READ:
        return "reading";
    case ACRE_READ_WRITE:
        return "reading and writing";
    case ACRE_WRITE:
        return "writing";
    case ACRE_PARTIAL_WRITE:
        return "writing in part";
    }
    return "(no such access)";
}

static int by_offset(const void *a, const void *b)
{
    const acre_range *first = a, *second = b;
    return first->offset < second->offset ? -1 : first->offset > second->offset;
}

/* The file's name may be a caller's temporary, so it is kept too. */
static acre_status allocate(size_t count, const char *file, struct acre_holder **holder)
{
    const size_t name = strlen(file) + 1;
    size_t total;
    if (!acre_size_multiply(count, 2 * sizeof(acre_range), &total) ||
        !acre_size_add(total, sizeof(**holder) + name, &total))
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu ranges", count);
    struct acre_holder *made = malloc(total); /* quicker than calloc; the lists are filled below */
    if (!made)
        return acre_fail_memory(total);
    memset(made, 0, sizeof(*made));
    made->sorted = made->ranges + count;
    made->file = (char *)(made->sorted + count);
    memcpy(made->file, file, name);
    *holder = made;
    return ACRE_OK;
}

static acre_status fill(const char *name, size_t bytes, const acre_range *ranges, size_t count,
                        struct acre_holder *holder)
{
    bool ascending = true;
    for (size_t i = 0; i < count; ++i) {
        if (ranges[i].offset > bytes || ranges[i].bytes > bytes - ranges[i].offset)
            return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': range %zu [%zu, +%zu) is not within its %zu bytes",
                             name, i, ranges[i].offset, ranges[i].bytes, bytes);
        if (ranges[i].bytes == 0)
            continue;
        const size_t n = holder->count++;
        holder->ranges[n] = holder->sorted[n] = ranges[i];
        ascending = ascending && (n == 0 || holder->ranges[n - 1].offset < ranges[i].offset);
    }
    if (!ascending)
        qsort(holder->sorted, holder->count, sizeof(acre_range), by_offset);
    for (size_t i = 1; i < holder->count; ++i) {
        const acre_range *low = &holder->sorted[i - 1], *high = &holder->sorted[i];
        if (low->offset + low->bytes > high->offset)
            return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': ranges [%zu, +%zu) and [%zu, +%zu) overlap", name,
                             low->offset, low->bytes, high->offset, high->bytes);
    }
    return ACRE_OK;
}

/* NULL and 0 stand for the whole array. */
static void spell_out(size_t bytes, const acre_range **ranges, size_t *count, acre_range *whole)
{
    if (*ranges || *count > 0)
        return;
    *whole = (acre_range){0, bytes};
    *ranges = whole;
    *count = 1;
}

acre_status acre_holder_make(const char *name, size_t bytes, const acre_range *ranges, size_t count,
                             const char *file, int line, struct acre_holder **holder)
{
    acre_range whole;
    spell_out(bytes, &ranges, &count, &whole);
    if (!ranges)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': %zu ranges announced, but none given", name, count);
    struct acre_holder *made;
    ACRE_TRY(allocate(count, file ? file : "(unknown)", &made));
    made->line = line;
    made->thread = pthread_self();
    const acre_status status = fill(name, bytes, ranges, count, made);
    if (status != ACRE_OK) {
        free(made);
        return status;
    }
    *holder = made;
    return ACRE_OK;
}

bool acre_holder_may_wait_for(const struct acre_holder *holder, bool may_wait_for_views)
{
    return (holder->is_library || may_wait_for_views) && !pthread_equal(holder->thread, pthread_self());
}

bool acre_holder_conflicts(const struct acre_holder *a, const struct acre_holder *b, acre_range *shared)
{
    if (!acre_access_writes(a->access) && !acre_access_writes(b->access))
        return false;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const acre_range *x = &a->sorted[i], *y = &b->sorted[k];
        const size_t x_end = x->offset + x->bytes, y_end = y->offset + y->bytes;
        const size_t begin = x->offset > y->offset ? x->offset : y->offset, end = x_end < y_end ? x_end : y_end;
        if (begin < end) {
            *shared = (acre_range){begin, end - begin};
            return true;
        }
        if (x_end < y_end)
            ++i;
        else
            ++k;
    }
    return false;
}

bool acre_holder_matches(const struct acre_holder *holder, size_t bytes, const acre_range *ranges, size_t count)
{
    acre_range whole;
    spell_out(bytes, &ranges, &count, &whole);
    size_t n = 0;
    for (size_t i = 0; ranges && i < count; ++i) {
        if (ranges[i].bytes == 0)
            continue;
        if (n == holder->count || holder->ranges[n].offset != ranges[i].offset ||
            holder->ranges[n].bytes != ranges[i].bytes)
            return false;
        ++n;
    }
    return n == holder->count;
}
