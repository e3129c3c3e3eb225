/* tools/acre/demo.c: `acre demo`: makes a gauge configuration with formulas, writes it, reads it back, and
 * measures it in two storages. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acre/acre.h"
#include "tools/acre/commands.h"
#include "tools/acre/progress.h"
#include "tools/acre/report.h"

const char acre_details_demo[] = "The links are u[mu] = reunit(1 + spread * (random(u[mu]) - random(u[mu]))), "
                                 "the same for the same seed on\n"
                                 "every machine. The file is a NERSC archive; without --file it goes to a "
                                 "temporary place (in $TMPDIR) and is\n"
                                 "removed at the end. Exit code 1 if what was read is not what was written.\n";

static const char formula[] = "u[mu] = reunit(1 + spread * (random(u[mu]) - random(u[mu])))";

struct demo {
    const char *lattice_text, *given_file;
    uint64_t seed;
    double spread;
    bool keep;
    int64_t extents[4];
    char path[4096];
    bool has_file; /* there is a file to remove */
    acre_context *context;
    acre_lattice *lattice, *read_lattice;
    acre_fields *u, *v; /* as made, as read */
    acre_gauge_observables made;
    double start;
    int failed_checks;
};

/* A line of the report: what was done, and how long it took since the last line. */
static void tell(struct demo *demo, const char *format, ...) ACRE_PRINTF(2, 3);
static void tell(struct demo *demo, const char *format, ...)
{
    char text[512];
    va_list arguments;
    const double now = acre_seconds();

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    acre_clean_line(text);
    printf("%-70s %8.3f s\n", text, now - demo->start);
    fflush(stdout);
    demo->start = acre_seconds();
}

static void check(struct demo *demo, bool is_good, const char *what)
{
    printf("  %-7s %s\n", is_good ? "ok" : "FAILED", what);
    if (is_good)
        return;
    acre_report("demo: check failed: %s", what);
    ++demo->failed_checks;
}

/* "8x8x8x8" */
static bool parse_extents(const char *text, int64_t extents[4])
{
    for (int mu = 0; mu < 4; ++mu) {
        const size_t digits = strspn(text, "0123456789");
        if (digits < 1 || digits > 9 || text[digits] != (mu < 3 ? 'x' : 0))
            return false;
        extents[mu] = strtol(text, NULL, 10);
        if (extents[mu] < 1)
            return false;
        text += digits + 1;
    }
    return true;
}

/* Choose the file; a temporary one is made now, so that its name stays ours. */
static int choose_file(struct demo *demo)
{
    if (demo->given_file) {
        if (snprintf(demo->path, sizeof(demo->path), "%s", demo->given_file) < (int)sizeof(demo->path))
            return ACRE_EXIT_DONE;
        acre_report("demo: the file's name is longer than %zu bytes", sizeof(demo->path) - 1);
        return ACRE_EXIT_USAGE;
    }
    const char *folder = getenv("TMPDIR");
    if (!folder || !folder[0])
        folder = "/tmp";
    if (snprintf(demo->path, sizeof(demo->path), "%s/acre-demo-XXXXXX", folder) >= (int)sizeof(demo->path)) {
        acre_report("demo: TMPDIR is longer than %zu bytes", sizeof(demo->path) - 32);
        return ACRE_EXIT_INPUT;
    }
    const int descriptor = mkstemp(demo->path);
    if (descriptor < 0) {
        acre_report("demo: can't make a temporary file in %s: %s", folder, strerror(errno));
        return ACRE_EXIT_INPUT;
    }
    close(descriptor);
    demo->has_file = true;
    return ACRE_EXIT_DONE;
}

/* A unitary 3x3 matrix has norm2 = 3. */
static acre_status check_links(struct demo *demo)
{
    bool all_unitary = true;
    for (int mu = 0; mu < 4; ++mu) {
        double n = 0;
        const acre_status status =
            acre_eval(demo->context, "n = norm2(u[mu])", ACRE_AS("u", demo->u), ACRE(mu), ACRE_OUT(n));
        if (status != ACRE_OK)
            return status;
        all_unitary = all_unitary && fabs(n / (3 * (double)acre_lattice_sites(demo->lattice)) - 1) < 1e-12;
    }
    check(demo, all_unitary, "norm2(u[mu]) is 3 a site, as for unitary links");
    return ACRE_OK;
}

static acre_status make_links(struct demo *demo)
{
    acre_status status =
        acre_lattice_create(demo->context, 4, demo->extents, ACRE_SITES_DEFAULT, &demo->lattice);
    if (status == ACRE_OK)
        status = acre_fields_create(demo->lattice, acre_colour_matrix(ACRE_DOUBLE), (acre_format){0}, 4, "u",
                                    &demo->u);
    acre_context_seed(demo->context, demo->seed);
    for (int mu = 0; status == ACRE_OK && mu < 4; ++mu)
        status =
            acre_eval(demo->context, formula, ACRE_AS("u", demo->u), ACRE(mu), ACRE_AS("spread", demo->spread));
    if (status != ACRE_OK)
        return status;
    tell(demo, "made    SU(3) links on %s sites, for every mu:", demo->lattice_text);
    printf("          %s\n", formula);
    status = check_links(demo);
    if (status != ACRE_OK)
        return status;

    status = acre_gauge_measure(demo->u, &demo->made);
    if (status != ACRE_OK)
        return status;
    tell(demo, "measure it in double, native, %s, %s:", acre_order_name(ACRE_SITE_FAST),
         acre_site_order_name(acre_lattice_site_order(demo->lattice)));
    printf("          plaquette %.17g (spatial %.17g, temporal %.17g)\n          link trace %.17g\n",
           demo->made.plaquette, demo->made.plaquette_spatial, demo->made.plaquette_temporal,
           demo->made.link_trace);
    check(demo, isfinite(demo->made.plaquette) && fabs(demo->made.plaquette) <= 1 + 1e-12,
          "the plaquette is in [-1, 1]");
    return ACRE_OK;
}

static acre_status write_file(struct demo *demo)
{
    const acre_status status = acre_gauge_write_nersc(demo->u, demo->path, NULL, NULL);
    if (status == ACRE_OK)
        tell(demo, "wrote   %s", demo->path);
    return status;
}

/* Compare the bits of two fields' values in the common order of host buffers. */
static acre_status compare_bits(const acre_field *a, const acre_field *b, bool *equal)
{
    const size_t bytes =
        (size_t)acre_lattice_sites(acre_field_lattice(a)) * acre_site_type_components(acre_field_type(a)) * 8;
    char *a_buffer = malloc(bytes), *b_buffer = malloc(bytes);
    acre_status status = a_buffer && b_buffer ? ACRE_OK : ACRE_ERR_OUT_OF_MEMORY;
    if (status == ACRE_OK)
        status = acre_field_export(a, a_buffer, bytes);
    if (status == ACRE_OK)
        status = acre_field_export(b, b_buffer, bytes);
    if (status == ACRE_OK)
        *equal = memcmp(a_buffer, b_buffer, bytes) == 0;
    free(a_buffer);
    free(b_buffer);
    return status;
}

/* Read the file into fields that lie in memory in another way than the ones it was written from. */
static acre_status read_file(struct demo *demo, acre_gauge_file *file)
{
    const acre_gauge_header *header = acre_gauge_file_header(file);
    acre_check checksum;
    acre_gauge_observables seen;

    acre_status status = acre_lattice_create(demo->context, header->dimension, header->extents,
                                             ACRE_SITES_LEXICOGRAPHIC, &demo->read_lattice);
    if (status == ACRE_OK)
        status = acre_fields_create(demo->read_lattice, acre_colour_matrix(ACRE_DOUBLE),
                                    acre_format_of(ACRE_SITE_SLOW), 4, "v", &demo->v);
    if (status == ACRE_OK)
        status = acre_gauge_read(file, demo->v, &checksum, NULL, NULL, NULL);
    if (status != ACRE_OK)
        return status;
    tell(demo, "read    it back, into %s, %s", acre_order_name(ACRE_SITE_SLOW),
         acre_site_order_name(ACRE_SITES_LEXICOGRAPHIC));

    bool all_equal = true;
    for (size_t mu = 0; mu < 4; ++mu) {
        bool equal = false;
        status = compare_bits(acre_fields_at(demo->u, mu), acre_fields_at(demo->v, mu), &equal);
        if (status != ACRE_OK)
            return status;
        all_equal = all_equal && equal;
    }
    status = acre_gauge_measure(demo->v, &seen);
    if (status != ACRE_OK)
        return status;
    tell(demo, "measure and compare:");
    check(demo, all_equal, "the links have the same bits as the ones written");
    check(demo, memcmp(&seen, &demo->made, sizeof(seen)) == 0,
          "the plaquettes and the link trace have the same bits as before");
    check(demo, checksum == ACRE_CHECK_OK, "the file's checksum fits its data");
    check(demo, acre_gauge_check_plaquette(header, seen.plaquette) == ACRE_CHECK_OK,
          "the file's plaquette fits its links");
    check(demo, acre_gauge_check_link_trace(header, seen.link_trace) == ACRE_CHECK_OK,
          "the file's link trace fits its links");
    return ACRE_OK;
}

static acre_status open_and_read(struct demo *demo)
{
    acre_gauge_file *file = NULL;
    acre_status status = acre_gauge_open(demo->path, &file);
    if (status == ACRE_OK)
        status = read_file(demo, file);
    acre_gauge_close(file);
    return status;
}

static acre_status measure_half(struct demo *demo)
{
    const acre_format half = {ACRE_SITE_FAST, ACRE_HALF};
    acre_fields *h = NULL;
    acre_gauge_observables seen;

    acre_status status = acre_fields_create(demo->lattice, acre_colour_matrix(ACRE_DOUBLE), half, 4, "h", &h);
    for (int mu = 0; status == ACRE_OK && mu < 4; ++mu)
        status = acre_eval(demo->context, "h[mu] = u[mu]", ACRE(h), ACRE_AS("u", demo->u), ACRE(mu));
    if (status == ACRE_OK)
        status = acre_gauge_measure(h, &seen);
    if (status == ACRE_OK) {
        tell(demo, "measure the same in half storage, a quarter of the bytes:");
        printf("          plaquette %.17g, %+.2g from native\n", seen.plaquette,
               seen.plaquette - demo->made.plaquette);
        /* Rounding changes a link by at most 2^-11 of its length sqrt(3); four links in a plaquette. */
        check(demo, fabs(seen.plaquette - demo->made.plaquette) <= 0x1p-9,
              "it is within 2^-9 of the native plaquette");
    }
    acre_fields_destroy(h);
    return status;
}

static int run(struct demo *demo)
{
    acre_status status = acre_context_create(&demo->context);
    if (status != ACRE_OK)
        return acre_report_status(status, NULL);
    tell(demo, "opened  backend %s, device %s", acre_context_backend(demo->context),
         acre_context_device_name(demo->context, 0));

    status = make_links(demo);
    if (status == ACRE_OK)
        status = write_file(demo);
    if (status == ACRE_OK)
        status = open_and_read(demo);
    if (status == ACRE_OK)
        status = measure_half(demo);

    acre_fields_destroy(demo->v);
    acre_fields_destroy(demo->u);
    acre_lattice_destroy(demo->read_lattice);
    acre_lattice_destroy(demo->lattice);
    acre_context_destroy(demo->context);
    return status == ACRE_OK ? ACRE_EXIT_DONE : acre_report_status(status, NULL);
}

int acre_command_demo(const struct acre_command *command, int argc, char **argv)
{
    struct demo demo = {.lattice_text = "8x8x8x8", .seed = 1, .spread = 0.3};
    const struct acre_option options[] = {
        {"lattice", ACRE_OPTION_TEXT, &demo.lattice_text, NULL, "XxYxZxT", "its extents (8x8x8x8)"},
        {"seed", ACRE_OPTION_WHOLE, &demo.seed, NULL, "N", "the seed of the random numbers (1)"},
        {"spread", ACRE_OPTION_NUMBER, &demo.spread, NULL, "X",
         "how far the links are from the unit matrix (0.3)"},
        {"file", ACRE_OPTION_TEXT, &demo.given_file, NULL, "PATH", "the file to write; it is kept"},
        {"keep", ACRE_OPTION_FLAG, &demo.keep, NULL, NULL, "keep the temporary file"},
        {0},
    };
    int operands;
    const enum acre_options_outcome outcome = acre_options_parse(command, options, argc, argv, &operands);
    if (outcome != ACRE_OPTIONS_GO)
        return outcome == ACRE_OPTIONS_HELPED ? ACRE_EXIT_DONE : ACRE_EXIT_USAGE;
    if (operands > 0)
        return acre_options_misuse(command, "it takes no operand: \"%s\"", argv[0]);
    if (!parse_extents(demo.lattice_text, demo.extents))
        return acre_options_misuse(command,
                                   "--lattice can't be \"%s\"; it takes four extents, each at least 1, "
                                   "such as 8x8x8x16",
                                   demo.lattice_text);

    demo.start = acre_seconds();
    int code = choose_file(&demo);
    if (code != ACRE_EXIT_DONE)
        return code;
    code = run(&demo);
    if (demo.has_file && (!demo.keep || code != ACRE_EXIT_DONE))
        unlink(demo.path);
    if (code == ACRE_EXIT_DONE) {
        printf("%s\n", demo.failed_checks ? "some checks failed" : "all checks passed");
        code = demo.failed_checks ? ACRE_EXIT_CHECK : ACRE_EXIT_DONE;
    }
    return code;
}
