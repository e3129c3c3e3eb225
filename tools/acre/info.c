/* tools/acre/info.c: `acre info`: what there is to compute on, how data can be held, what can be set. */
#include <inttypes.h>
#include <stdio.h>

#include "acre/acre.h"
#include "tools/acre/commands.h"
#include "tools/acre/json.h"
#include "tools/acre/report.h"

const char acre_details_info[] = "Backends without a device are shown with the reason. The one that "
                                 "ACRE_BACKEND selects is opened; if that\n"
                                 "fails, everything else is shown all the same and the exit code is 4.\n";

/* What a context gave, or why there is none. */
struct selection {
    acre_context *context;
    acre_status status;
    char message[1024];
};

static const char *const cache_names[] = {"L1d", "L2", "L3"};
static const acre_order orders[] = {ACRE_SITE_FAST, ACRE_SITE_SLOW};
static const acre_storage storages[] = {ACRE_NATIVE, ACRE_HALF};
static const acre_site_order site_orders[] = {ACRE_SITES_CHECKERBOARD, ACRE_SITES_LEXICOGRAPHIC};

struct site_type_row {
    const char *name;
    acre_site_type type;
};
static const struct site_type_row site_types[] = {
#define ROW(make, name, spin_rank, spins, colour_rank, colours, is_complex)                                    \
    {name, {ACRE_DOUBLE, is_complex, spin_rank, colour_rank, spins, colours}},
    ACRE_SITE_TYPE_TABLE(ROW)
#undef ROW
};
enum { SITE_TYPE_COUNT = sizeof(site_types) / sizeof(site_types[0]) };

/* "15.6 GiB". */
static const char *size_text(uint64_t bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    double size = (double)bytes;
    for (; size >= 1024 && unit < 6; ++unit)
        size /= 1024;
    snprintf(text, 32, "%.4g %s", size, units[unit]);
    return text;
}

static acre_status text_device(size_t backend, size_t device)
{
    acre_device_info info;
    char size[32];
    const acre_status status = acre_info_device(backend, device, &info);
    if (status != ACRE_OK)
        return status;
    printf("    %-8s %s, %u worker%s, %s%s%s\n", info.name, info.hardware, info.workers,
           info.workers == 1 ? "" : "s",
           info.memory_bytes     ? size_text(info.memory_bytes, size)
           : info.is_host_memory ? "the host's memory"
                                 : "memory not known",
           info.memory_bytes && info.is_host_memory ? " (the host's)" : "",
           info.has_double ? ", double precision" : ", no double precision");
    if (info.pci[0])
        printf("             at PCI %s\n", info.pci);
    if (info.numa_node >= 0)
        printf("             near NUMA node %d, processors %s%s\n", info.numa_node, info.cpus,
               info.binds ? ", its threads are bound there" : "");
    return ACRE_OK;
}

static acre_status text_plugins(void)
{
    size_t count;
    acre_status status = acre_info_plugin_count(&count);
    if (status == ACRE_OK && count > 0)
        printf("\nplugins not in use\n");
    for (size_t i = 0; status == ACRE_OK && i < count; ++i) {
        acre_plugin_info info;
        status = acre_info_plugin(i, &info);
        if (status == ACRE_OK)
            printf("  %s: %s\n", info.file[0] ? info.file : "(an empty name in ACRE_PLUGIN_PATH)", info.reason);
    }
    return status;
}

static acre_status text_backends(void)
{
    size_t count;
    acre_status status = acre_info_backend_count(&count);
    if (status != ACRE_OK)
        return status;
    printf("\nbackends\n");
    for (size_t i = 0; i < count; ++i) {
        acre_backend_info info;
        status = acre_info_backend(i, &info);
        if (status != ACRE_OK)
            return status;
        printf("  %-10s %s; %zu device%s%s%s\n", info.name, info.description, info.device_count,
               info.device_count == 1 ? "" : "s", info.device_count ? "" : ": ", info.reason);
        if (info.file[0])
            printf("    plugin %s\n", info.file);
        for (size_t device = 0; device < info.device_count; ++device) {
            status = text_device(i, device);
            if (status != ACRE_OK)
                return status;
        }
    }
    return ACRE_OK;
}

static void text_selection(const struct selection *selection)
{
    printf("\nselected\n  ");
    if (!selection->context) {
        printf("none: %s\n", selection->message);
        return;
    }
    printf("%-10s", acre_context_backend(selection->context));
    for (size_t i = 0; i < acre_context_device_count(selection->context); ++i)
        printf(" %s", acre_context_device_name(selection->context, i));
    printf("\n");
}

static acre_status text_machine(void)
{
    acre_machine_info machine;
    char size[32];
    const acre_status status = acre_info_machine(&machine);
    if (status != ACRE_OK)
        return status;
    printf("\nmachine\n");
    printf("  processor  %s\n", machine.processor[0] ? machine.processor : "not known");
    printf("  parts      packages %d, NUMA nodes %d, cores %d, hardware threads %d\n", machine.packages,
           machine.numa_nodes, machine.cores, machine.threads);
    printf("  memory     %s\n  caches    ",
           machine.memory_bytes ? size_text(machine.memory_bytes, size) : "not known");
    for (int i = 0; i < 3; ++i)
        printf("%s %s %s", i ? "," : "", cache_names[i],
               machine.cache_bytes[i] ? size_text(machine.cache_bytes[i], size) : "not known");
    printf("\n");
    return ACRE_OK;
}

static void text_formats(void)
{
    printf("\ndata formats\n  orders    ");
    for (size_t i = 0; i < 2; ++i)
        printf(" %s", acre_order_name(orders[i]));
    printf("\n  storages  ");
    for (size_t i = 0; i < 2; ++i)
        printf(" %s", acre_storage_name(storages[i]));
    printf("\n  sites     ");
    for (size_t i = 0; i < 2; ++i)
        printf(" %s", acre_site_order_name(site_orders[i]));
    printf("\n  words      float and double (either storage), int and bool (native, Real only)\n");
    printf("\n  %-24s %10s  %s\n", "site type", "components", "bytes a site in double, float, half");
    for (int i = 0; i < SITE_TYPE_COUNT; ++i) {
        const size_t n = acre_site_type_components(site_types[i].type);
        printf("  %-24s %10zu  %6zu %6zu %6zu\n", site_types[i].name, n, 8 * n, 4 * n, 2 * n);
    }
    printf("  sizes: colour 3 (1 to %d possible), spin 4 (1, 2 or 4); plain vectors to %d components\n",
           ACRE_MAX_COLOURS, ACRE_MAX_VECTOR);
}

static acre_status text_environment(void)
{
    printf("environment\n");
    for (size_t i = 0; i < acre_info_variable_count(); ++i) {
        acre_variable_info info;
        const acre_status status = acre_info_variable(i, &info);
        if (status != ACRE_OK)
            return status;
        const bool is_set = info.value && info.value[0];
        printf("  %s = ", info.name);
        for (const char *c = is_set ? info.value : info.standard; *c; ++c)
            putchar((unsigned char)*c < 32 || *c == 127 ? '?' : *c);
        printf("%s\n      %s\n      takes %s", is_set ? "" : " (default)", info.meaning, info.takes);
        printf("; default %s\n", info.standard);
    }
    return ACRE_OK;
}

static acre_status print_text(const struct selection *selection)
{
    printf("acre %s\n", acre_version());
    acre_status status = text_backends();
    if (status == ACRE_OK)
        status = text_plugins();
    text_selection(selection);
    if (status == ACRE_OK)
        status = text_machine();
    text_formats();
    printf("\n");
    return status == ACRE_OK ? text_environment() : status;
}

static acre_status json_device(struct acre_json *json, size_t backend, size_t device)
{
    acre_device_info info;
    const acre_status status = acre_info_device(backend, device, &info);
    if (status != ACRE_OK)
        return status;
    acre_json_open(json, NULL, '{');
    acre_json_text(json, "name", info.name);
    acre_json_text(json, "hardware", info.hardware);
    acre_json_whole(json, "memory_bytes", info.memory_bytes);
    acre_json_whole(json, "workers", info.workers);
    acre_json_flag(json, "host_memory", info.is_host_memory);
    acre_json_flag(json, "processor", info.is_processor);
    acre_json_flag(json, "double", info.has_double);
    acre_json_text(json, "pci", info.pci);
    acre_json_integer(json, "numa_node", info.numa_node);
    acre_json_text(json, "cpus", info.cpus);
    acre_json_flag(json, "bound", info.binds);
    acre_json_close(json, '}');
    return ACRE_OK;
}

/* The brackets are closed after an error too: the line stays JSON. */
static acre_status json_backends(struct acre_json *json)
{
    size_t count = 0;
    acre_status status = acre_info_backend_count(&count);
    acre_json_open(json, "backends", '[');
    for (size_t i = 0; status == ACRE_OK && i < count; ++i) {
        acre_backend_info info;
        status = acre_info_backend(i, &info);
        if (status != ACRE_OK)
            break;
        acre_json_open(json, NULL, '{');
        acre_json_text(json, "name", info.name);
        acre_json_text(json, "description", info.description);
        acre_json_integer(json, "priority", info.priority);
        acre_json_open(json, "devices", '[');
        for (size_t device = 0; status == ACRE_OK && device < info.device_count; ++device)
            status = json_device(json, i, device);
        acre_json_close(json, ']');
        acre_json_text(json, "reason", info.reason);
        acre_json_text(json, "file", info.file);
        acre_json_close(json, '}');
    }
    acre_json_close(json, ']');
    return status;
}

static acre_status json_plugins(struct acre_json *json)
{
    size_t count = 0;
    acre_status status = acre_info_plugin_count(&count);
    acre_json_open(json, "plugins_not_in_use", '[');
    for (size_t i = 0; status == ACRE_OK && i < count; ++i) {
        acre_plugin_info info;
        status = acre_info_plugin(i, &info);
        if (status != ACRE_OK)
            break;
        acre_json_open(json, NULL, '{');
        acre_json_text(json, "file", info.file);
        acre_json_text(json, "name", info.name);
        acre_json_text(json, "reason", info.reason);
        acre_json_close(json, '}');
    }
    acre_json_close(json, ']');
    return status;
}

static void json_selection(struct acre_json *json, const struct selection *selection)
{
    acre_json_open(json, "selected", '{');
    if (selection->context) {
        acre_json_text(json, "backend", acre_context_backend(selection->context));
        acre_json_open(json, "devices", '[');
        for (size_t i = 0; i < acre_context_device_count(selection->context); ++i)
            acre_json_text(json, NULL, acre_context_device_name(selection->context, i));
        acre_json_close(json, ']');
    } else {
        acre_json_text(json, "error", selection->message);
    }
    acre_json_close(json, '}');
}

static acre_status json_machine(struct acre_json *json)
{
    acre_machine_info machine;
    const acre_status status = acre_info_machine(&machine);
    if (status != ACRE_OK)
        return status;
    acre_json_open(json, "machine", '{');
    acre_json_text(json, "processor", machine.processor);
    acre_json_integer(json, "packages", machine.packages);
    acre_json_integer(json, "numa_nodes", machine.numa_nodes);
    acre_json_integer(json, "cores", machine.cores);
    acre_json_integer(json, "threads", machine.threads);
    acre_json_whole(json, "memory_bytes", machine.memory_bytes);
    acre_json_open(json, "cache_bytes", '[');
    for (int i = 0; i < 3; ++i)
        acre_json_whole(json, NULL, machine.cache_bytes[i]);
    acre_json_close(json, ']');
    acre_json_close(json, '}');
    return ACRE_OK;
}

static void json_formats(struct acre_json *json)
{
    acre_json_open(json, "formats", '{');
    acre_json_open(json, "orders", '[');
    for (size_t i = 0; i < 2; ++i)
        acre_json_text(json, NULL, acre_order_name(orders[i]));
    acre_json_close(json, ']');
    acre_json_open(json, "storages", '[');
    for (size_t i = 0; i < 2; ++i)
        acre_json_text(json, NULL, acre_storage_name(storages[i]));
    acre_json_close(json, ']');
    acre_json_open(json, "sites", '[');
    for (size_t i = 0; i < 2; ++i)
        acre_json_text(json, NULL, acre_site_order_name(site_orders[i]));
    acre_json_close(json, ']');
    acre_json_open(json, "site_types", '[');
    for (int i = 0; i < SITE_TYPE_COUNT; ++i) {
        acre_json_open(json, NULL, '{');
        acre_json_text(json, "name", site_types[i].name);
        acre_json_whole(json, "components", acre_site_type_components(site_types[i].type));
        acre_json_close(json, '}');
    }
    acre_json_close(json, ']');
    acre_json_close(json, '}');
}

static acre_status json_environment(struct acre_json *json)
{
    acre_status status = ACRE_OK;
    acre_json_open(json, "environment", '[');
    for (size_t i = 0; i < acre_info_variable_count(); ++i) {
        acre_variable_info info;
        status = acre_info_variable(i, &info);
        if (status != ACRE_OK)
            break;
        acre_json_open(json, NULL, '{');
        acre_json_text(json, "name", info.name);
        acre_json_text(json, "value", info.value);
        acre_json_text(json, "default", info.standard);
        acre_json_text(json, "takes", info.takes);
        acre_json_text(json, "meaning", info.meaning);
        acre_json_close(json, '}');
    }
    acre_json_close(json, ']');
    return status;
}

static acre_status print_json(const struct selection *selection, bool only_environment)
{
    struct acre_json json = {.out = stdout};
    acre_status status = ACRE_OK;
    acre_json_open(&json, NULL, '{');
    if (!only_environment) {
        acre_json_text(&json, "version", acre_version());
        status = json_backends(&json);
        if (status == ACRE_OK)
            status = json_plugins(&json);
        json_selection(&json, selection);
        if (status == ACRE_OK)
            status = json_machine(&json);
        json_formats(&json);
    }
    if (status == ACRE_OK)
        status = json_environment(&json);
    acre_json_close(&json, '}');
    acre_json_end(&json);
    return status;
}

int acre_command_info(const struct acre_command *command, int argc, char **argv)
{
    bool json = false, only_environment = false;
    const struct acre_option options[] = {
        {"json", ACRE_OPTION_FLAG, &json, NULL, NULL, "one JSON object on a line"},
        {"env", ACRE_OPTION_FLAG, &only_environment, NULL, NULL, "only the environment variables"},
        {0},
    };
    int operands;
    const enum acre_options_outcome outcome = acre_options_parse(command, options, argc, argv, &operands);
    if (outcome != ACRE_OPTIONS_GO)
        return outcome == ACRE_OPTIONS_HELPED ? ACRE_EXIT_DONE : ACRE_EXIT_USAGE;
    if (operands > 0)
        return acre_options_misuse(command, "it takes no operand: \"%s\"", argv[0]);

    struct selection selection = {0};
    int code = ACRE_EXIT_DONE;
    selection.status = acre_context_create(&selection.context);
    if (selection.status != ACRE_OK) {
        snprintf(selection.message, sizeof(selection.message), "%s", acre_message());
        selection.context = NULL;
        code = acre_report_status(selection.status, NULL);
    }
    const acre_status status = json               ? print_json(&selection, only_environment)
                               : only_environment ? text_environment()
                                                  : print_text(&selection);
    if (status != ACRE_OK)
        code = acre_exit_worst(code, acre_report_status(status, NULL));
    acre_context_destroy(selection.context);
    return code;
}
