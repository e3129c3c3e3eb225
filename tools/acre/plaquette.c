/* tools/acre/plaquette.c: `acre plaquette`: measures gauge files and holds them against their own headers. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "acre/acre.h"
#include "tools/acre/commands.h"
#include "tools/acre/json.h"
#include "tools/acre/progress.h"
#include "tools/acre/report.h"

const char acre_details_plaquette[] =
    "Each file is a gauge configuration in NERSC, ILDG, SciDAC or MILC format, found by its first bytes.\n"
    "The plaquette is the average over sites and planes of Re Tr(U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+)\n"
    "divided by the number of colours. What the file says of itself (checksum, plaquette, link trace) is held\n"
    "against the data as read, in double precision, whatever storage and precision are asked for.\n"
    "Exit codes: 0 done, 1 a check failed, 2 usage, 3 a file can't be read, 4 device or backend.\n";

static const char *const storage_names[] = {"native", "half", NULL};
static const char *const order_names[] = {"site-fast", "site-slow", NULL};
static const char *const sites_names[] = {"checkerboard", "lexicographic", NULL};
static const char *const precision_names[] = {"single", "double", NULL};

/* What the command line asks for: indices into the names above; sites is -1 for the lattice's default. */
struct request {
    int storage, order, sites, precision;
    bool json;
};

struct result {
    const char *path;
    acre_gauge_header header;
    acre_site_order sites;
    uint32_t data_sums[2];
    acre_check checksum, plaquette_check, link_trace_check;
    acre_gauge_observables file;        /* in double and native; only with something to hold it against */
    acre_gauge_observables observables; /* as asked for */
};

static acre_format format_of(const struct request *request)
{
    acre_format format = {request->order == 0 ? ACRE_SITE_FAST : ACRE_SITE_SLOW,
                          request->storage == 0 ? ACRE_NATIVE : ACRE_HALF};
    return format;
}

static acre_site_order site_order_of(const struct request *request)
{
    return request->sites < 0    ? ACRE_SITES_DEFAULT
           : request->sites == 0 ? ACRE_SITES_CHECKERBOARD
                                 : ACRE_SITES_LEXICOGRAPHIC;
}

/* Measure a copy of u in the precision and format asked for. */
static acre_status measure_as_asked(acre_context *context, const struct request *request, const acre_fields *u,
                                    struct result *result)
{
    acre_lattice *lattice = acre_field_lattice(acre_fields_at(u, 0));
    acre_site_type type = acre_field_type(acre_fields_at(u, 0));
    type.word = request->precision == 0 ? ACRE_FLOAT : ACRE_DOUBLE;
    acre_fields *v = NULL;

    acre_status status = acre_fields_create(lattice, type, format_of(request), acre_fields_count(u), "v", &v);
    for (int mu = 0; status == ACRE_OK && mu < result->header.dimension; ++mu)
        status = acre_eval(context, "v[mu] = u[mu]", ACRE(v), ACRE(u), ACRE(mu));
    if (status == ACRE_OK)
        status = acre_gauge_measure(v, &result->observables);
    acre_fields_destroy(v);
    return status;
}

/* Measure the links of a file. They are read in double, so that the checks judge the file and not the storage
 * that is asked for. */
static acre_status measure_links(acre_context *context, const struct request *request, const acre_fields *u,
                                 struct result *result)
{
    const acre_gauge_header *header = &result->header;
    const bool is_asked_for =
        request->precision == 1 && acre_format_equal(format_of(request), (acre_format){0});
    if (is_asked_for || header->has_plaquette || header->has_link_trace) {
        const acre_status status = acre_gauge_measure(u, &result->file);
        if (status != ACRE_OK)
            return status;
        result->plaquette_check = acre_gauge_check_plaquette(header, result->file.plaquette);
        result->link_trace_check = acre_gauge_check_link_trace(header, result->file.link_trace);
    }
    if (!is_asked_for)
        return measure_as_asked(context, request, u, result);
    result->observables = result->file;
    return ACRE_OK;
}

static acre_status measure_file(acre_context *context, const struct request *request, struct result *result)
{
    struct acre_progress_line line;
    acre_gauge_file *file = NULL;
    acre_lattice *lattice = NULL;
    acre_fields *u = NULL;

    acre_status status = acre_gauge_open(result->path, &file);
    if (status != ACRE_OK)
        return status;
    result->header = *acre_gauge_file_header(file);
    const acre_gauge_header *header = &result->header;

    status = acre_lattice_create(context, header->dimension, header->extents, site_order_of(request), &lattice);
    if (status != ACRE_OK)
        goto out;
    result->sites = acre_lattice_site_order(lattice);
    const acre_site_type type =
        acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, (uint16_t)header->colours);
    status = acre_fields_create(lattice, type, (acre_format){0}, (size_t)header->dimension, "u", &u);
    if (status != ACRE_OK)
        goto out;

    acre_progress_start(&line, result->path);
    status = acre_gauge_read(file, u, &result->checksum, result->data_sums, acre_progress_show, &line);
    acre_progress_end(&line);
    if (status == ACRE_OK)
        status = measure_links(context, request, u, result);
out:
    acre_fields_destroy(u);
    acre_lattice_destroy(lattice);
    acre_gauge_close(file);
    return status;
}

/* "717938df", or two of them. */
static void print_sums(const uint32_t sums[2], int words, char text[32])
{
    snprintf(text, 32, words == 2 ? "%08" PRIx32 " %08" PRIx32 : "%08" PRIx32, sums[0], sums[1]);
}

/* Complain of each failed check; gives the exit code. */
static int report_checks(const struct request *request, const struct result *result)
{
    const acre_gauge_header *header = &result->header;
    const acre_gauge_observables *seen = &result->observables;
    int code = ACRE_EXIT_DONE;
    if (result->checksum == ACRE_CHECK_MISMATCH) {
        char said[32], found[32];
        print_sums(header->checksum, header->checksum_words, said);
        print_sums(result->data_sums, header->checksum_words, found);
        acre_report("%s: checksum mismatch: the file says %s, its data give %s", result->path, said, found);
        code = ACRE_EXIT_CHECK;
    }
    if (!isfinite(seen->plaquette) || !isfinite(seen->link_trace)) {
        acre_report("%s: plaquette %g and link trace %g are not finite (%s precision, %s storage)",
                    result->path, seen->plaquette, seen->link_trace, precision_names[request->precision],
                    storage_names[request->storage]);
        return ACRE_EXIT_CHECK;
    }
    if (result->plaquette_check == ACRE_CHECK_MISMATCH) {
        acre_report("%s: plaquette mismatch: the file says %.17g, its links give %.17g", result->path,
                    header->plaquette, result->file.plaquette);
        code = ACRE_EXIT_CHECK;
    }
    if (result->link_trace_check == ACRE_CHECK_MISMATCH) {
        acre_report("%s: link trace mismatch: the file says %.17g, its links give %.17g", result->path,
                    header->link_trace, result->file.link_trace);
        code = ACRE_EXIT_CHECK;
    }
    return code;
}

static void print_json(acre_context *context, const struct request *request, const struct result *result)
{
    const acre_gauge_header *header = &result->header;
    const acre_gauge_observables *seen = &result->observables;
    struct acre_json json = {.out = stdout};

    acre_json_open(&json, NULL, '{');
    acre_json_text(&json, "file", result->path);
    acre_json_text(&json, "format", header->format);
    acre_json_open(&json, "lattice", '[');
    for (int mu = 0; mu < header->dimension; ++mu)
        acre_json_integer(&json, NULL, header->extents[mu]);
    acre_json_close(&json, ']');
    acre_json_text(&json, "checksum", acre_check_name(result->checksum));
    acre_json_number(&json, "plaquette", seen->plaquette);
    acre_json_number(&json, "plaquette_spatial", seen->plaquette_spatial);
    acre_json_number(&json, "plaquette_temporal", seen->plaquette_temporal);
    acre_json_number(&json, "link_trace", seen->link_trace);
    acre_json_text(&json, "storage", storage_names[request->storage]);
    acre_json_text(&json, "order", order_names[request->order]);
    acre_json_text(&json, "sites", acre_site_order_name(result->sites));
    acre_json_text(&json, "precision", precision_names[request->precision]);
    acre_json_text(&json, "backend", acre_context_backend(context));
    acre_json_open(&json, "devices", '[');
    for (size_t i = 0; i < acre_context_device_count(context); ++i)
        acre_json_text(&json, NULL, acre_context_device_name(context, i));
    acre_json_close(&json, ']');
    acre_json_text(&json, "plaquette_check", acre_check_name(result->plaquette_check));
    acre_json_text(&json, "link_trace_check", acre_check_name(result->link_trace_check));
    if (result->checksum != ACRE_CHECK_ABSENT) {
        char text[32];
        print_sums(header->checksum, header->checksum_words, text);
        acre_json_text(&json, "checksum_file", text);
        print_sums(result->data_sums, header->checksum_words, text);
        acre_json_text(&json, "checksum_data", text);
    }
    acre_json_close(&json, '}');
    acre_json_end(&json);
}

static void print_text(acre_context *context, const struct request *request, const struct result *result)
{
    const acre_gauge_header *header = &result->header;
    const acre_gauge_observables *seen = &result->observables;
    char sums[32];

    acre_print_name(stdout, result->path, SIZE_MAX);
    printf("\n  file        %s, ", header->format);
    for (int mu = 0; mu < header->dimension; ++mu)
        printf("%s%" PRId64, mu ? "x" : "", header->extents[mu]);
    printf(", SU(%d), %s precision\n", header->colours, header->word == ACRE_DOUBLE ? "double" : "single");
    printf("  plaquette   %.17g\n", seen->plaquette);
    printf("    spatial   %.17g\n", seen->plaquette_spatial);
    printf("    temporal  %.17g\n", seen->plaquette_temporal);
    printf("  link trace  %.17g\n", seen->link_trace);
    printf("  checks      checksum %s", acre_check_name(result->checksum));
    if (result->checksum == ACRE_CHECK_OK) {
        print_sums(header->checksum, header->checksum_words, sums);
        printf(" (%s)", sums);
    }
    printf(", plaquette %s, link trace %s\n", acre_check_name(result->plaquette_check),
           acre_check_name(result->link_trace_check));
    printf("  computed    in %s precision, %s, %s, %s, on", precision_names[request->precision],
           storage_names[request->storage], order_names[request->order], acre_site_order_name(result->sites));
    for (size_t i = 0; i < acre_context_device_count(context); ++i)
        printf(" %s", acre_context_device_name(context, i));
    printf("\n");
}

static int run_file(acre_context *context, const struct request *request, const char *path)
{
    struct result result = {.path = path};
    const acre_status status = measure_file(context, request, &result);
    if (status != ACRE_OK) {
        const bool says_file = status == ACRE_ERR_FILE || status == ACRE_ERR_FILE_FORMAT;
        return acre_report_status(status, says_file ? NULL : path);
    }
    if (request->json)
        print_json(context, request, &result);
    else
        print_text(context, request, &result);
    return acre_exit_worst(acre_report_flush(), report_checks(request, &result));
}

int acre_command_plaquette(const struct acre_command *command, int argc, char **argv)
{
    struct request request = {.sites = -1, .precision = 1};
    const struct acre_option options[] = {
        {"storage", ACRE_OPTION_CHOICE, &request.storage, storage_names, NULL,
         "hold the links at their own precision, or as 16-bit numbers (native)"},
        {"order", ACRE_OPTION_CHOICE, &request.order, order_names, NULL,
         "all sites of a component together, or all components of a site (site-fast)"},
        {"sites", ACRE_OPTION_CHOICE, &request.sites, sites_names, NULL,
         "how sites follow each other (checkerboard where every extent is even)"},
        {"precision", ACRE_OPTION_CHOICE, &request.precision, precision_names, NULL,
         "the precision to compute in (double)"},
        {"json", ACRE_OPTION_FLAG, &request.json, NULL, NULL, "one JSON object a file, each on a line"},
        {0},
    };
    int files;
    const enum acre_options_outcome outcome = acre_options_parse(command, options, argc, argv, &files);
    if (outcome != ACRE_OPTIONS_GO)
        return outcome == ACRE_OPTIONS_HELPED ? ACRE_EXIT_DONE : ACRE_EXIT_USAGE;
    if (files == 0)
        return acre_options_misuse(command, "no file given");

    acre_context *context;
    const acre_status status = acre_context_create(&context);
    if (status != ACRE_OK)
        return acre_report_status(status, NULL);
    int code = ACRE_EXIT_DONE;
    for (int i = 0; i < files; ++i)
        code = acre_exit_worst(code, run_file(context, &request, argv[i]));
    acre_context_destroy(context);
    return code;
}
