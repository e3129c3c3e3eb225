/* tests/test_choice.c: which devices ACRE_BACKEND, ACRE_DEVICES and launchers' variables ask for. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/device/choice.h"
#include "core/device/context.h"
#include "core/device/registry.h"
#include "mock_backend.h"

Suite *acre_suite_choice(void);

/* The mock's three devices under other names: trio as they are, cores all processors, mix all but the last,
 * gone without any. */
static acre_backend trio, cores, mix, gone;

static acre_status processor_properties(size_t index, acre_device_properties *properties)
{
    const acre_status status = mock_backend.device_properties(index, properties);
    properties->is_processor = true;
    return status;
}

static acre_status mix_properties(size_t index, acre_device_properties *properties)
{
    const acre_status status = mock_backend.device_properties(index, properties);
    properties->is_processor = index < MOCK_DEVICES - 1;
    return status;
}

static acre_status no_device(size_t *count, char *reason, size_t size)
{
    *count = 0;
    snprintf(reason, size, "no card is plugged in");
    return ACRE_OK;
}

static void add_backends(void)
{
    static bool added;
    if (added)
        return;
    added = true;
    trio = cores = mix = gone = mock_backend;
    trio.name = "trio";
    cores.name = "cores";
    cores.priority = 50;
    cores.device_properties = processor_properties;
    mix.name = "mix";
    mix.device_properties = mix_properties;
    gone.name = "gone";
    gone.device_count = no_device;
    ck_assert_int_eq(acre_registry_add(&trio), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&cores), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&mix), ACRE_OK);
    ck_assert_int_eq(acre_registry_add(&gone), ACRE_OK);
}

/* Join the names of the devices that the variables ask for: "trio:2 host:0"; NULL: an error. */
static const char *chosen(const char *selection, const char *list, acre_status *status)
{
    static char text[256];
    struct acre_buffer choices = {0};
    capture_begin();
    *status = acre_choices_make(selection, list, &choices);
    free(capture_end());
    text[0] = 0;
    for (size_t i = 0; *status == ACRE_OK && i < choices.size / sizeof(struct acre_choice); ++i) {
        const struct acre_choice *choice = (const struct acre_choice *)choices.data + i;
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%zu", i ? " " : "",
                 choice->backend->name, choice->index);
        ck_assert_uint_lt(choice->index, choice->count);
    }
    acre_buffer_free(&choices);
    return *status == ACRE_OK ? text : NULL;
}

START_TEST(device_lists)
{
    static const struct {
        const char *selection, *list;
        acre_status status;
        const char *expected;
    } rows[] = {
        {"auto", "host:0", ACRE_OK, "host:0"},
        {"", "trio:2,trio:0", ACRE_OK, "trio:2 trio:0"},
        {"auto", "trio:*", ACRE_OK, "trio:0 trio:1 trio:2"},
        {"auto", "trio:1,host:*,cores:0", ACRE_OK, "trio:1 host:0 cores:0"},
        {"trio", "trio:1", ACRE_OK, "trio:1"},
        {"cuda,trio,host", "host:0,trio:1", ACRE_OK, "host:0 trio:1"},
        {"trio", "auto", ACRE_OK, "trio:0 trio:1 trio:2"},
        {"trio", "", ACRE_OK, "trio:0 trio:1 trio:2"},
        {"mix", "auto", ACRE_OK, "mix:2"},
        {"cores", NULL, ACRE_OK, "cores:0 cores:1 cores:2"},
        {"auto", NULL, ACRE_OK, "host:0"},
        {"auto", "host:9", ACRE_ERR_BACKEND,
         "there is no device host:9: backend host has 1 device; the choices"},
        {"auto", "trio:3", ACRE_ERR_BACKEND, "backend trio has 3 devices; the choices are host:0, "},
        {"auto", "trio:3", ACRE_ERR_BACKEND, "trio:0 to trio:2"},
        {"auto", "opencl:9:9", ACRE_ERR_BACKEND, "no backend named opencl; the choices are host (1 device)"},
        {"auto", "trio:1:0", ACRE_ERR_BACKEND,
         "no device trio:1:0: backend trio numbers its 3 devices without"},
        {"auto", "gone:0", ACRE_ERR_BACKEND, "no card is plugged in"},
        {"auto", "gone:*", ACRE_ERR_BACKEND, "backend gone can't serve"},
        {"auto", "trio:0,trio:0", ACRE_ERR_ENVIRONMENT, "\"trio:0\" names a device that the list has already"},
        {"auto", "trio:1,trio:*", ACRE_ERR_ENVIRONMENT, "\"trio:*\" names a device that the list has already"},
        {"host", "trio:0", ACRE_ERR_ENVIRONMENT, "\"trio:0\" does not go with ACRE_BACKEND=host"},
        {"host,cores", "host:0,trio:0", ACRE_ERR_ENVIRONMENT, "does not go with ACRE_BACKEND=host,cores"},
        {"Host", "host:0", ACRE_ERR_ENVIRONMENT, "ACRE_BACKEND is \"Host\""},
        {"auto", "trio", ACRE_ERR_ENVIRONMENT, "\"trio\" is no device; it takes auto, or a list"},
        {"auto", "trio:", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", ":0", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:0,", ACRE_ERR_ENVIRONMENT, "\"\" is no device"},
        {"auto", ",trio:0", ACRE_ERR_ENVIRONMENT, "\"\" is no device"},
        {"auto", "trio:0, trio:1", ACRE_ERR_ENVIRONMENT, "\" trio:1\" is no device"},
        {"auto", "Mock:0", ACRE_ERR_ENVIRONMENT, "\"Mock:0\" is no device"},
        {"auto", "trio:-1", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:+1", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:0x1", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:**", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:*:0", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:0:*", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:0:0:0", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "trio:99999999999999999999", ACRE_ERR_ENVIRONMENT, "is no device"},
        {"auto", "nosuch:0,trio;0", ACRE_ERR_ENVIRONMENT, "\"trio;0\" is no device"},
        {"auto", "mo\nck:0", ACRE_ERR_ENVIRONMENT, "\"mo?ck:0\" is no device"},
    };
    add_backends();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        acre_status status;
        const char *names = chosen(rows[i].selection, rows[i].list, &status);
        ck_assert_msg(status == rows[i].status, "\"%s\": %s", rows[i].list, acre_message());
        if (names)
            ck_assert_str_eq(names, rows[i].expected);
        else
            ck_assert_msg(strstr(acre_message(), rows[i].expected) != NULL, "\"%s\": %s", rows[i].list,
                          acre_message());
    }
}
END_TEST

START_TEST(absurdly_long_device_lists_are_cut)
{
    char *list = malloc(100001);
    acre_status status;
    memset(list, ',', 100000);
    list[100000] = 0;
    ck_assert_ptr_null(chosen("auto", list, &status));
    ck_assert_int_eq(status, ACRE_ERR_ENVIRONMENT);
    ck_assert_uint_lt(strlen(acre_message()), 1000);
    ck_assert_ptr_nonnull(strstr(acre_message(), "too long"));
    free(list);
}
END_TEST

/* What launchers leave in the environment, and the device that this process takes. */
START_TEST(processes_of_a_node_share_its_devices)
{
    static const struct {
        const char *rank_name, *rank, *size_name, *size, *selection, *list, *expected;
    } rows[] = {
        {"OMPI_COMM_WORLD_LOCAL_RANK", "1", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "trio", NULL, "trio:1"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "5", "OMPI_COMM_WORLD_LOCAL_SIZE", "8", "trio", NULL, "trio:2"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "0", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "trio", NULL, "trio:0"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "0", "OMPI_COMM_WORLD_LOCAL_SIZE", "1", "trio", NULL,
         "trio:0 trio:1 trio:2"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "1", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "trio", "trio:2,trio:0",
         "trio:2 trio:0"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "1", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "mix", NULL, "mix:2"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "x", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "trio", NULL,
         "trio:0 trio:1 trio:2"},
        {"MPI_LOCALRANKID", "2", "MPI_LOCALNRANKS", "3", "trio", NULL, "trio:2"},
        {"PMI_LOCAL_RANK", "0", "PMI_LOCAL_SIZE", NULL, "trio", NULL, "trio:0"},
        {"SLURM_LOCALID", "1", "SLURM_STEP_TASKS_PER_NODE", "2(x3),1", "trio", NULL, "trio:1"},
        {"SLURM_LOCALID", "0", "SLURM_STEP_TASKS_PER_NODE", "1(x4)", "trio", NULL, "trio:0 trio:1 trio:2"},
        {"SLURM_LOCALID", "0", "SLURM_STEP_TASKS_PER_NODE", NULL, "trio", NULL, "trio:0 trio:1 trio:2"},
    };
    add_backends();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        acre_status status;
        setenv(rows[i].rank_name, rows[i].rank, 1);
        if (rows[i].size)
            setenv(rows[i].size_name, rows[i].size, 1);
        const char *names = chosen(rows[i].selection, rows[i].list, &status);
        unsetenv(rows[i].rank_name);
        unsetenv(rows[i].size_name);
        ck_assert_int_eq(status, ACRE_OK);
        ck_assert_msg(strcmp(names, rows[i].expected) == 0, "%s=%s: %s", rows[i].rank_name, rows[i].rank,
                      names);
    }
}
END_TEST

START_TEST(contexts_of_several_backends)
{
    acre_context *context;
    add_backends();
    setenv("ACRE_DEVICES", "trio:2,host:0,trio:0", 1);
    ck_assert_msg(acre_context_create(&context) == ACRE_OK, "%s", acre_message());
    ck_assert_str_eq(acre_context_backend(context), "trio+host");
    ck_assert_uint_eq(acre_context_device_count(context), 3);
    ck_assert_str_eq(acre_context_device_name(context, 0), "trio:2");
    ck_assert_str_eq(acre_context_device_name(context, 1), "host:0");
    ck_assert_int_eq(context->place_count, 3);
    ck_assert_int_eq(context->devices[0].place, 1);
    ck_assert_int_eq(context->devices[1].place, ACRE_PLACE_HOST);
    ck_assert_int_eq(context->devices[2].place, 2);
    acre_context_destroy(context);
    setenv("ACRE_DEVICES", "trio:0,trio:0", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_ERR_ENVIRONMENT);
    ck_assert_ptr_null(context);
    unsetenv("ACRE_DEVICES");
}
END_TEST

Suite *acre_suite_choice(void)
{
    Suite *suite = suite_create("choice");
    TCase *test = tcase_create("choice");
    tcase_add_test(test, device_lists);
    tcase_add_test(test, absurdly_long_device_lists_are_cut);
    tcase_add_test(test, processes_of_a_node_share_its_devices);
    tcase_add_test(test, contexts_of_several_backends);
    suite_add_tcase(suite, test);
    return suite;
}
