/* core/memory/access.c: views: users' acquiring and releasing of ranges, of one array or of several at once. */
#include <stdlib.h>

#include "acre/group.h"
#include "core/base/fail.h"
#include "core/memory/request.h"

static void free_holders(struct acre_holder **holders, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(holders[i]);
}

static acre_status acquire(acre_array *array, acre_place place, acre_access access, const acre_range *ranges,
                           size_t count, void **address, bool waits, const char *file, int line)
{
    struct acre_holder *holder;
    if (address)
        *address = NULL;
    ACRE_TRY(
        acre_request_holder(array, place, access, ranges, count, address != NULL, false, file, line, &holder));
    struct acre_request request = {.memory = array->memory, .holders = &holder, .count = 1, .waits = waits};
    acre_memory_lock(array->memory);
    const acre_status status = acre_request_acquire(&request);
    if (status == ACRE_OK && address)
        *address = acre_request_address(holder);
    acre_memory_unlock(array->memory);
    if (status != ACRE_OK)
        free(holder);
    return status;
}

acre_status acre_array_acquire_at(acre_array *array, acre_place place, acre_access access,
                                  const acre_range *ranges, size_t count, void **address, const char *file,
                                  int line)
{
    return acquire(array, place, access, ranges, count, address, false, file, line);
}

acre_status acre_array_acquire_waiting_at(acre_array *array, acre_place place, acre_access access,
                                          const acre_range *ranges, size_t count, void **address,
                                          const char *file, int line)
{
    return acquire(array, place, access, ranges, count, address, true, file, line);
}

static bool is_view(const struct acre_holder *holder, acre_place place, acre_access access,
                    const acre_range *ranges, size_t count)
{
    return !holder->is_library && !holder->is_waiting && holder->place == place && holder->access == access &&
           acre_holder_matches(holder, holder->array->bytes, ranges, count);
}

/* With the lock held: the view that fits, one of this thread's own if there are several; NULL: none. */
static struct acre_holder *find_view(const acre_array *array, acre_place place, acre_access access,
                                     const acre_range *ranges, size_t count)
{
    struct acre_holder *found = NULL;
    for (struct acre_holder *holder = array->holders; holder; holder = holder->next) {
        if (!is_view(holder, place, access, ranges, count))
            continue;
        found = holder;
        if (pthread_equal(holder->thread, pthread_self()))
            break;
    }
    return found;
}

acre_status acre_array_release(acre_array *array, acre_place place, acre_access access,
                               const acre_range *ranges, size_t count)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_release: array is NULL");
    ACRE_TRY(acre_context_check(array->context));
    acre_memory_lock(array->memory);
    struct acre_holder *holder = find_view(array, place, access, ranges, count);
    const acre_status status = holder ? acre_request_release(holder, true, NULL) : ACRE_OK;
    acre_memory_unlock(array->memory);
    if (!holder)
        return acre_fail(ACRE_ERR_ARGUMENT,
                         "array '%s': released for %s at %s, but nobody holds these ranges so (%zu given)",
                         acre_array_name(array), acre_access_name(access),
                         acre_context_place_name(array->context, place), count);
    return status;
}

/* Groups. */

static acre_status make_holders(const acre_view *views, size_t count, const char *file, int line,
                                struct acre_holder **holders)
{
    for (size_t i = 0; i < count; ++i) {
        const acre_view *view = &views[i];
        acre_status status = ACRE_OK;
        if (view->array && views[0].array && view->array->context != views[0].array->context)
            status = acre_fail(ACRE_ERR_ARGUMENT, "arrays '%s' and '%s' of one group are of different contexts",
                               acre_array_name(views[0].array), acre_array_name(view->array));
        if (status == ACRE_OK)
            status = acre_request_holder(view->array, view->place, view->access, view->ranges, view->count,
                                         view->wants_address, false, file, line, &holders[i]);
        if (status != ACRE_OK) {
            free_holders(holders, i);
            return status;
        }
    }
    return ACRE_OK;
}

static acre_status acquire_group(acre_view *views, size_t count, bool waits, const char *file, int line)
{
    if (count == 0)
        return ACRE_OK;
    if (!views)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_group_acquire: %zu views announced, but none given", count);
    for (size_t i = 0; i < count; ++i)
        views[i].address = NULL;
    struct acre_holder **holders = calloc(count, sizeof(struct acre_holder *));
    if (!holders)
        return acre_fail_memory(count * sizeof(struct acre_holder *));
    acre_status status = make_holders(views, count, file, line, holders);
    if (status != ACRE_OK)
        goto out;
    struct acre_memory *memory = views[0].array->memory;
    struct acre_request request = {.memory = memory, .holders = holders, .count = count, .waits = waits};
    acre_memory_lock(memory);
    status = acre_request_acquire(&request);
    for (size_t i = 0; i < count && status == ACRE_OK; ++i)
        if (views[i].wants_address)
            views[i].address = acre_request_address(holders[i]);
    acre_memory_unlock(memory);
    if (status != ACRE_OK)
        free_holders(holders, count);
out:
    free(holders);
    return status;
}

acre_status acre_group_acquire_at(acre_view *views, size_t count, const char *file, int line)
{
    return acquire_group(views, count, false, file, line);
}

acre_status acre_group_acquire_waiting_at(acre_view *views, size_t count, const char *file, int line)
{
    return acquire_group(views, count, true, file, line);
}

acre_status acre_group_release(const acre_view *views, size_t count)
{
    acre_status first = ACRE_OK;
    if (count > 0 && !views)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_group_release: %zu views announced, but none given", count);
    for (size_t i = 0; i < count; ++i) {
        const acre_view *view = &views[i];
        const acre_status status =
            acre_array_release(view->array, view->place, view->access, view->ranges, view->count);
        first = first ? first : status;
    }
    return first;
}
