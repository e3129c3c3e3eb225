/* io/nersc.c: the text header of the NERSC archive format. */
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "io/headers.h"

enum { HEADER_LIMIT = 64 << 10 };

/* The keys that matter. Others are ignored; of a key that comes twice the first one counts. */
enum key {
    DATATYPE,
    DIMENSION_1,
    DIMENSION_2,
    DIMENSION_3,
    DIMENSION_4,
    FLOATING_POINT,
    CHECKSUM,
    LINK_TRACE,
    PLAQUETTE,
    KEY_COUNT
};
static const char *const key_names[KEY_COUNT] = {"DATATYPE",    "DIMENSION_1", "DIMENSION_2",
                                                 "DIMENSION_3", "DIMENSION_4", "FLOATING_POINT",
                                                 "CHECKSUM",    "LINK_TRACE",  "PLAQUETTE"};

struct entries {
    struct acre_text value[KEY_COUNT]; /* data NULL: not there */
};

static void take_line(struct acre_text line, struct entries *entries)
{
    const char *equals = memchr(line.data, '=', line.size);
    if (!equals)
        return;
    size_t before = (size_t)(equals - line.data);
    struct acre_text key = acre_text_trim((struct acre_text){line.data, before});
    struct acre_text value = {equals + 1, line.size - before - 1};
    for (int k = 0; k < KEY_COUNT; ++k)
        if (acre_text_equal(key, key_names[k]) && !entries->value[k].data)
            entries->value[k] = acre_text_trim(value);
}

/* Split the header into its entries; *bytes is its length up to and with the line END_HEADER. */
static acre_status split(const struct acre_file *file, struct acre_text text, struct entries *entries,
                         uint64_t *bytes)
{
    *entries = (struct entries){0};
    for (size_t at = 0; at < text.size;) {
        const char *newline = memchr(text.data + at, '\n', text.size - at);
        if (!newline)
            break;
        size_t end = (size_t)(newline - text.data);
        struct acre_text line = acre_text_trim((struct acre_text){text.data + at, end - at});
        at = end + 1;
        if (acre_text_equal(line, "END_HEADER")) {
            *bytes = at;
            return ACRE_OK;
        }
        take_line(line, entries);
    }
    return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no line END_HEADER in the first %zu bytes of the NERSC header",
                     file->name, text.size);
}

static acre_status fail_value(const struct acre_gauge_file *gauge, enum key key, struct acre_text value,
                              const char *wanted)
{
    return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: %s = '%s' in the NERSC header: %s", gauge->file.name,
                     key_names[key], acre_text_quote(value).text, wanted);
}

/* Take a decimal number off the front of the text. */
static bool take_number(struct acre_text *text, int64_t *number)
{
    struct acre_text digits = {text->data, 0};
    while (digits.size < text->size && text->data[digits.size] >= '0' && text->data[digits.size] <= '9')
        ++digits.size;
    text->data += digits.size;
    text->size -= digits.size;
    return acre_text_integer(digits, number);
}

static bool take_string(struct acre_text *text, const char *string)
{
    if (!acre_text_starts(*text, string))
        return false;
    text->data += strlen(string);
    text->size -= strlen(string);
    return true;
}

/* 4D_SU<N>_GAUGE (the last row of SU(3) left out), 4D_SU<N>_GAUGE_<N>x<N> or 4D_SU<N>_GAUGE_NxN (all of it). */
static acre_status parse_datatype(struct acre_gauge_file *gauge, struct acre_text value)
{
    struct acre_text rest = value;
    int64_t colours = 0, rows = 0, columns = 0;
    bool known = take_string(&rest, "4D_SU") && take_number(&rest, &colours) && take_string(&rest, "_GAUGE");
    bool whole = known && rest.size > 0;
    if (whole && acre_text_equal(rest, "_NxN"))
        rows = columns = colours;
    else if (whole)
        known = take_string(&rest, "_") && take_number(&rest, &rows) && take_string(&rest, "x") &&
                take_number(&rest, &columns) && rest.size == 0;
    if (!known || (whole && (rows != colours || columns != colours)))
        return fail_value(gauge, DATATYPE, value, "4D_SU<N>_GAUGE or 4D_SU<N>_GAUGE_<N>x<N> is read");
    if (colours < 1 || colours > ACRE_MAX_COLOURS)
        return fail_value(gauge, DATATYPE, value, "1 to 8 colours are read");
    if (!whole && colours != 3)
        return fail_value(gauge, DATATYPE, value, "only SU(3) matrices are read with a row left out");
    gauge->header.colours = (int)colours;
    gauge->payload.rows = whole ? (int)colours : 2;
    return ACRE_OK;
}

static acre_status parse_extents(struct acre_gauge_file *gauge, const struct entries *entries)
{
    gauge->header.dimension = 4;
    for (int mu = 0; mu < 4; ++mu) {
        enum key key = (enum key)(DIMENSION_1 + mu);
        struct acre_text value = entries->value[key];
        if (!value.data)
            return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no %s in the NERSC header", gauge->file.name,
                             key_names[key]);
        if (!acre_text_integer(value, &gauge->header.extents[mu]) || gauge->header.extents[mu] < 1)
            return fail_value(gauge, key, value, "an extent is a whole number from 1 on");
    }
    return ACRE_OK;
}

static acre_status parse_floating_point(struct acre_gauge_file *gauge, struct acre_text value)
{
    static const struct {
        const char *name;
        acre_word word;
        bool big;
    } rows[] = {
        {"IEEE32BIG", ACRE_FLOAT, true},  {"IEEE32", ACRE_FLOAT, false},  {"IEEE32LITTLE", ACRE_FLOAT, false},
        {"IEEE64BIG", ACRE_DOUBLE, true}, {"IEEE64", ACRE_DOUBLE, false}, {"IEEE64LITTLE", ACRE_DOUBLE, false},
    };
    if (!value.data)
        value = acre_text_of("IEEE32BIG"); /* old files don't say it */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (acre_text_equal(value, rows[i].name)) {
            gauge->header.word = rows[i].word;
            gauge->payload.big = rows[i].big;
            return ACRE_OK;
        }
    return fail_value(gauge, FLOATING_POINT, value, "IEEE32BIG, IEEE32, IEEE64BIG or IEEE64LITTLE is read");
}

/* What the data can be checked against; each of it may be missing. */
static acre_status parse_checks(struct acre_gauge_file *gauge, const struct entries *entries)
{
    acre_gauge_header *header = &gauge->header;
    header->has_checksum = entries->value[CHECKSUM].data != NULL;
    header->checksum_words = header->has_checksum ? 1 : 0;
    header->has_link_trace = entries->value[LINK_TRACE].data != NULL;
    header->has_plaquette = entries->value[PLAQUETTE].data != NULL;
    if (header->has_checksum && !acre_text_hex32(entries->value[CHECKSUM], &header->checksum[0]))
        return fail_value(gauge, CHECKSUM, entries->value[CHECKSUM], "up to 8 hexadecimal digits are wanted");
    if (header->has_link_trace && !acre_text_double(entries->value[LINK_TRACE], &header->link_trace))
        return fail_value(gauge, LINK_TRACE, entries->value[LINK_TRACE], "a number is wanted");
    if (header->has_plaquette && !acre_text_double(entries->value[PLAQUETTE], &header->plaquette))
        return fail_value(gauge, PLAQUETTE, entries->value[PLAQUETTE], "a number is wanted");
    return ACRE_OK;
}

static acre_status parse(struct acre_gauge_file *gauge, struct acre_text text)
{
    struct entries entries;
    ACRE_TRY(split(&gauge->file, text, &entries, &gauge->payload.offset));
    if (!entries.value[DATATYPE].data)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no DATATYPE in the NERSC header", gauge->file.name);
    ACRE_TRY(parse_datatype(gauge, entries.value[DATATYPE]));
    ACRE_TRY(parse_extents(gauge, &entries));
    ACRE_TRY(parse_floating_point(gauge, entries.value[FLOATING_POINT]));
    return parse_checks(gauge, &entries);
}

acre_status acre_nersc_read_header(struct acre_gauge_file *gauge)
{
    const struct acre_file *file = &gauge->file;
    size_t bytes = file->bytes < HEADER_LIMIT ? (size_t)file->bytes : HEADER_LIMIT;
    char *text = malloc(bytes);
    if (!text)
        return acre_fail_memory(bytes);
    acre_status status = acre_file_read(file, 0, text, bytes);
    if (status == ACRE_OK)
        status = parse(gauge, (struct acre_text){text, bytes});
    free(text);
    if (status != ACRE_OK)
        return status;
    strcpy(gauge->header.format, "NERSC");
    gauge->payload.checksum = ACRE_CHECKSUM_NERSC;
    return acre_gauge_fit(gauge, file->bytes - gauge->payload.offset, "after its header");
}
