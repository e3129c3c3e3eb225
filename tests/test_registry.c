/* tests/test_registry.c: which backends the library takes, and which one a selection asks for. */
#include <check.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/device/context.h"
#include "core/device/registry.h"
#include "mock_backend.h"

Suite *acre_suite_registry(void);

static int starts;

static acre_status count_start(const acre_backend_services *services)
{
    ++starts;
    return services->size >= sizeof(*services) ? ACRE_OK : ACRE_ERR_BACKEND;
}

static acre_status (*lent_fail)(acre_status, const char *, ...);

static acre_status refuse_start(const acre_backend_services *services)
{
    ++starts;
    lent_fail = services->fail;
    return lent_fail(ACRE_ERR_BACKEND, "driver 1.2 is too old");
}

static acre_status no_device(size_t *count, char *reason, size_t size)
{
    *count = 0;
    snprintf(reason, size, "no card is plugged in");
    return ACRE_OK;
}

static acre_status failing_count(size_t *count, char *reason, size_t size)
{
    *count = 3;
    (void)reason;
    (void)size;
    return lent_fail(ACRE_ERR_BACKEND, "the driver hangs");
}

static acre_status processor_properties(size_t index, acre_device_properties *properties)
{
    const acre_status status = mock_backend.device_properties(index, properties);
    properties->is_processor = true;
    return status;
}

/* Added once in the life of the process: none (no device), broken (can't count), old (can't start), cpus.
 */
static acre_backend none, broken, old, cpus;

static void add_backends(void)
{
    static bool added;
    if (added)
        return;
    added = true;
    none = broken = old = cpus = mock_backend;
    cpus.name = "cpus";
    cpus.priority = 50;
    cpus.device_properties = processor_properties;
    none.name = "none";
    none.device_count = no_device;
    none.priority = 100;
    old.name = "old";
    old.start = refuse_start;
    broken.name = "broken";
    broken.device_count = failing_count;
    ck_assert_int_eq(acre_registry_add(&none), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&old), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&broken), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&cpus), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&mock_backend), ACRE_OK);
}

START_TEST(faulty_backends_are_refused)
{
#define WITHOUT(slot)                                                                                          \
    {                                                                                                          \
#slot, offsetof(acre_backend, slot)                                                                    \
    }
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {WITHOUT(start),         WITHOUT(device_count), WITHOUT(device_properties),
                WITHOUT(device_open),   WITHOUT(device_close), WITHOUT(queue_create),
                WITHOUT(queue_destroy), WITHOUT(queue_wait),   WITHOUT(call)};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        acre_backend backend = mock_backend;
        backend.name = "faulty";
        memset((char *)&backend + rows[i].offset, 0, sizeof(void (*)(void)));
        ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
        ck_assert_ptr_nonnull(strstr(acre_message(), "faulty"));
        ck_assert_ptr_nonnull(strstr(acre_message(), rows[i].name));
    }
}
END_TEST

START_TEST(foreign_tables_are_refused)
{
    static const char *const names[] = {"", "Mock", "a b", "auto", "a,b", "0123456789012345678901234567890123"};
    acre_backend backend = mock_backend;
    backend.name = "foreign";
    backend.abi = ACRE_BACKEND_ABI + 1;
    ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(strstr(acre_message(), "ABI 2"));
    backend.abi = ACRE_BACKEND_ABI;
    backend.size = 8;
    ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    backend.size = sizeof(backend);
    backend.description = NULL;
    ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    backend.description = "";
    backend.name = NULL;
    ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        backend.name = names[i];
        ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    }
    ck_assert_int_eq(acre_registry_add(NULL), ACRE_ERR_BACKEND);
}
END_TEST

START_TEST(names_are_unique)
{
    acre_backend backend = mock_backend;
    backend.name = "host";
    ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(strstr(acre_message(), "host"));
}
END_TEST

/* A table from before the last slots were there: what lies beyond its size is not looked at. */
START_TEST(smaller_tables_are_taken)
{
    static acre_backend small;
    small = mock_backend;
    small.name = "small";
    small.size = offsetof(acre_backend, copy);
    const acre_backend *whole;
    ck_assert_int_eq(acre_registry_start(&small, &whole), ACRE_OK);
    ck_assert_ptr_null(whole->call);
    ck_assert_ptr_null(whole->address);
    ck_assert_ptr_eq((void *)whole->upload, (void *)mock_backend.upload);
    ck_assert_uint_eq(whole->size, sizeof(acre_backend));

    static acre_backend smaller;
    smaller = mock_backend;
    smaller.size = offsetof(acre_backend, queue_wait);
    ck_assert_int_eq(acre_registry_start(&smaller, &whole), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(strstr(acre_message(), "queue_wait"));
}
END_TEST

START_TEST(devices_with_memory_need_its_slots)
{
#define ROW(slot)                                                                                              \
    {                                                                                                          \
#slot, offsetof(acre_backend, slot)                                                                    \
    }
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {ROW(memory_alloc), ROW(memory_free), ROW(upload),     ROW(download),         ROW(address),
                ROW(event_record), ROW(event_query), ROW(event_wait), ROW(queue_wait_event), ROW(event_free)};
#undef ROW
    enum { COUNT = sizeof(rows) / sizeof(rows[0]) };
    static acre_backend tables[COUNT];
    for (size_t i = 0; i < COUNT; ++i) {
        tables[i] = mock_backend;
        memset((char *)&tables[i] + rows[i].offset, 0, sizeof(void (*)(void)));
        acre_context *context;
        ck_assert_int_eq(acre_context_open(&tables[i], 1, &context), ACRE_ERR_BACKEND);
        ck_assert_ptr_nonnull(strstr(acre_message(), rows[i].name));
        ck_assert_int_eq(mock_count().devices, 0);
    }
}
END_TEST

/* One without the other. */
START_TEST(slots_in_pairs_come_together)
{
    static const size_t halves[] = {offsetof(acre_backend, peer_copy), offsetof(acre_backend, host_free),
                                    offsetof(acre_backend, host_unregister), offsetof(acre_backend, unmap)};
    static const char *const names[][2] = {{"peer_reach", "peer_copy"},
                                           {"host_alloc", "host_free"},
                                           {"host_register", "host_unregister"},
                                           {"map", "unmap"}};
    for (size_t i = 0; i < 4; ++i) {
        acre_backend backend = mock_backend;
        backend.name = "half";
        backend.peer_reach = NULL;
        backend.peer_copy = NULL;
        backend.host_alloc = NULL;
        backend.host_free = NULL;
        backend.host_register = NULL;
        backend.host_unregister = NULL;
        backend.map = NULL;
        backend.unmap = NULL;
        memcpy((char *)&backend + halves[i], &backend.start, sizeof(backend.start));
        ck_assert_int_eq(acre_registry_add(&backend), ACRE_ERR_BACKEND);
        ck_assert_ptr_nonnull(strstr(acre_message(), names[i][0]));
        ck_assert_ptr_nonnull(strstr(acre_message(), names[i][1]));
    }
}
END_TEST

START_TEST(backends_start_once)
{
    static acre_backend backend;
    backend = mock_backend;
    backend.start = count_start;
    starts = 0;
    const acre_backend *first, *again;
    ck_assert_int_eq(acre_registry_start(&backend, &first), ACRE_OK);
    ck_assert_int_eq(acre_registry_start(&backend, &again), ACRE_OK);
    ck_assert_ptr_eq(first, again);
    ck_assert_int_eq(acre_registry_start(first, &again), ACRE_OK);
    ck_assert_ptr_eq(first, again);
    ck_assert_int_eq(starts, 1);
}
END_TEST

START_TEST(a_failed_start_is_remembered)
{
    static acre_backend backend;
    backend = mock_backend;
    backend.start = refuse_start;
    starts = 0;
    const acre_backend *whole;
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(acre_registry_start(&backend, &whole), ACRE_ERR_BACKEND);
        ck_assert_ptr_nonnull(strstr(acre_message(), "driver 1.2 is too old"));
    }
    ck_assert_int_eq(starts, 1);
}
END_TEST

START_TEST(entries_say_what_is_there_or_why_not)
{
    const struct acre_backend_entry *entries;
    size_t count;
    ck_assert_int_eq(acre_registry_entries(&entries, &count), ACRE_OK);
    ck_assert_str_eq(entries[0].backend->name, "host");
    ck_assert_uint_eq(entries[0].device_count, 1);
    ck_assert_str_eq(entries[0].reason, "");
    add_backends();
    const struct acre_backend_entry *more;
    ck_assert_int_eq(acre_registry_entries(&more, &count), ACRE_OK);
    ck_assert_str_eq(entries[0].backend->name, "host"); /* the old list holds */
    for (size_t i = 0; i < count; ++i) {
        const char *name = more[i].backend->name;
        ck_assert_int_eq(more[i].device_count == 0, more[i].reason[0] != 0);
        if (strcmp(name, "none") == 0)
            ck_assert_str_eq(more[i].reason, "no card is plugged in");
        if (strcmp(name, "old") == 0)
            ck_assert_ptr_nonnull(strstr(more[i].reason, "driver 1.2 is too old"));
        if (strcmp(name, "broken") == 0)
            ck_assert_str_eq(more[i].reason, "the driver hangs");
        if (strcmp(name, "mock") == 0)
            ck_assert_uint_eq(more[i].device_count, MOCK_DEVICES);
    }
}
END_TEST

/* What is selected, or the error and what its message must have. */
START_TEST(selections)
{
    static const struct {
        const char *selection;
        acre_status status;
        const char *expected;
    } rows[] = {
        {"", ACRE_OK, "host"},
        {"auto", ACRE_OK, "host"},
        {"host", ACRE_OK, "host"},
        {"mock", ACRE_OK, "mock"},
        {"mock,host", ACRE_OK, "mock"},
        {"host,mock", ACRE_OK, "host"},
        {"cuda,hip,opencl,host", ACRE_OK, "host"},
        {"none,mock", ACRE_OK, "mock"},
        {"cpus", ACRE_OK, "cpus"},
        {"none,old,broken,host", ACRE_OK, "host"},
        {"my-own_one,host", ACRE_OK, "host"},
        {"cuda", ACRE_ERR_BACKEND, "there is no backend named cuda; the choices are auto and host (1 device)"},
        {"hos", ACRE_ERR_BACKEND, "no backend named hos"},
        {"host0", ACRE_ERR_BACKEND, "no backend named host0"},
        {"none", ACRE_ERR_BACKEND, "backend none can't serve: no card is plugged in; the choices"},
        {"none", ACRE_ERR_BACKEND, "mock (3 devices)"},
        {"old", ACRE_ERR_BACKEND, "driver 1.2 is too old"},
        {"none,cuda", ACRE_ERR_BACKEND, "no card is plugged in; there is no backend named cuda; the choices"},
        {" host", ACRE_ERR_ENVIRONMENT, "ACRE_BACKEND is \" host\""},
        {"host ", ACRE_ERR_ENVIRONMENT, "ACRE_BACKEND is \"host \""},
        {"host, mock", ACRE_ERR_ENVIRONMENT, "no blanks"},
        {"Host", ACRE_ERR_ENVIRONMENT, "lower-case"},
        {"host;mock", ACRE_ERR_ENVIRONMENT, "; the choices are auto and host (1 device)"},
        {"host;mock", ACRE_ERR_ENVIRONMENT, "it takes auto, a backend's name, or a list"},
        {"host\n", ACRE_ERR_ENVIRONMENT, "\"host?\""},
        {"h\xc3\xb6st", ACRE_ERR_ENVIRONMENT, "\"h??st\""},
        {"host:0", ACRE_ERR_ENVIRONMENT, "ACRE_BACKEND"},
        {",", ACRE_ERR_ENVIRONMENT, "empty"},
        {",host", ACRE_ERR_ENVIRONMENT, "empty"},
        {"host,", ACRE_ERR_ENVIRONMENT, "empty"},
        {"mock,,host", ACRE_ERR_ENVIRONMENT, "empty"},
        {"cuda,auto", ACRE_ERR_ENVIRONMENT, "auto stands alone"},
        {"auto,host", ACRE_ERR_ENVIRONMENT, "auto stands alone"},
    };
    add_backends();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct acre_backend_entry *entry = NULL;
        capture_begin();
        const acre_status status = acre_registry_select(rows[i].selection, &entry);
        free(capture_end());
        ck_assert_msg(status == rows[i].status, "\"%s\": %s", rows[i].selection, acre_message());
        if (status == ACRE_OK)
            ck_assert_str_eq(entry->backend->name, rows[i].expected);
        else
            ck_assert_msg(strstr(acre_message(), rows[i].expected) != NULL, "\"%s\": %s", rows[i].selection,
                          acre_message());
    }
}
END_TEST

START_TEST(absurdly_long_selections_are_cut)
{
    char selection[100001];
    memset(selection, 'x', sizeof(selection) - 1);
    selection[sizeof(selection) - 1] = 0;
    const struct acre_backend_entry *entry;
    ck_assert_int_eq(acre_registry_select(selection, &entry), ACRE_ERR_ENVIRONMENT);
    ck_assert_uint_lt(strlen(acre_message()), 1000);
    ck_assert_ptr_nonnull(strstr(acre_message(), "too long"));
}
END_TEST

START_TEST(lists_say_what_they_pass_over)
{
    const struct acre_backend_entry *entry;
    add_backends();
    capture_begin();
    ck_assert_int_eq(acre_registry_select("cuda,none,host", &entry), ACRE_OK);
    char *text = capture_end();
    ck_assert_str_eq(text, "acre: warning: ACRE_BACKEND=cuda,none,host: there is no backend named cuda\n"
                           "acre: warning: ACRE_BACKEND=cuda,none,host: backend none can't serve: no card is "
                           "plugged in\n");
    free(text);
}
END_TEST

START_TEST(context_takes_the_variable)
{
    acre_context *context;
    add_backends();
    setenv("ACRE_BACKEND", "mock", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_OK);
    ck_assert_str_eq(acre_context_backend(context), "mock");
    ck_assert_uint_eq(acre_context_device_count(context), MOCK_DEVICES);
    acre_context_destroy(context);
    setenv("ACRE_BACKEND", "cuda", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_ERR_BACKEND);
    ck_assert_ptr_null(context);
    setenv("ACRE_BACKEND", "host ", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_ERR_ENVIRONMENT);
    unsetenv("ACRE_BACKEND");
}
END_TEST

/* Counted anew each time: the variable may change in a long life. */
START_TEST(devices_are_counted_when_they_are_asked_for)
{
    const struct acre_backend_entry *entry;
    setenv("ACRE_HOST_DEVICES", "3", 1);
    ck_assert_int_eq(acre_registry_select("host", &entry), ACRE_OK);
    ck_assert_uint_eq(entry->device_count, 3);
    acre_context *context;
    setenv("ACRE_BACKEND", "host", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_OK);
    ck_assert_int_eq(context->place_count, 4);
    acre_context_destroy(context);
    unsetenv("ACRE_BACKEND");
    setenv("ACRE_HOST_DEVICES", "many", 1);
    ck_assert_int_eq(acre_registry_select("mock,host", &entry), ACRE_ERR_ENVIRONMENT);
    ck_assert_ptr_nonnull(strstr(acre_message(), "ACRE_HOST_DEVICES is \"many\""));
    unsetenv("ACRE_HOST_DEVICES");
    ck_assert_int_eq(acre_registry_select("host", &entry), ACRE_OK);
    ck_assert_uint_eq(entry->device_count, 1);
}
END_TEST

static void *select_often(void *argument)
{
    size_t *good = argument;
    for (int i = 0; i < 100; ++i) {
        const struct acre_backend_entry *entry;
        *good += acre_registry_select("host", &entry) == ACRE_OK && entry->device_count == 1;
    }
    return NULL;
}

START_TEST(selecting_from_several_threads)
{
    pthread_t threads[4];
    size_t good[4] = {0};
    for (int i = 0; i < 4; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, select_often, &good[i]), 0);
    for (int i = 0; i < 4; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(good[i], 100);
    }
}
END_TEST

Suite *acre_suite_registry(void)
{
    Suite *suite = suite_create("registry");
    TCase *test = tcase_create("registry");
    tcase_add_test(test, selecting_from_several_threads);
    tcase_add_test(test, faulty_backends_are_refused);
    tcase_add_test(test, foreign_tables_are_refused);
    tcase_add_test(test, names_are_unique);
    tcase_add_test(test, smaller_tables_are_taken);
    tcase_add_test(test, devices_with_memory_need_its_slots);
    tcase_add_test(test, slots_in_pairs_come_together);
    tcase_add_test(test, backends_start_once);
    tcase_add_test(test, a_failed_start_is_remembered);
    tcase_add_test(test, entries_say_what_is_there_or_why_not);
    tcase_add_test(test, selections);
    tcase_add_test(test, absurdly_long_selections_are_cut);
    tcase_add_test(test, lists_say_what_they_pass_over);
    tcase_add_test(test, context_takes_the_variable);
    tcase_add_test(test, devices_are_counted_when_they_are_asked_for);
    tcase_add_test(test, selecting_from_several_threads);
    suite_add_tcase(suite, test);
    return suite;
}
