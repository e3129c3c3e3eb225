/* io/scidac.c: finding the gauge field in a LIME file, as ILDG or as SciDAC describes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "io/headers.h"
#include "io/lime.h"
#include "io/xml.h"

/* More records than any gauge file has: so that a file of nothing but empty records ends soon. */
/* What the descriptions of records may take in all, so that no file keeps us long. */
enum { RECORD_LIMIT = 1 << 16, DESCRIPTION_BYTES = 16 << 20 };

/* What scidac-private-record-xml says of the binary record that follows it. */
struct description {
    acre_word word;
    int64_t colours;
    char trouble[240]; /* why it is no gauge field that is read; "" if it is one */
};

/* The records found so far that belong to the gauge field. */
struct contents {
    bool has_file, has_description, has_ildg, has_data, is_ildg, has_sums;
    bool closed; /* what comes now belongs to another field */
    bool passed; /* a binary record that is no gauge field has gone by */
    struct acre_lime_record file, ildg, data, sums;
    struct description description;
    uint64_t described; /* bytes of descriptions read so far */
};

static acre_status fail_element(const struct acre_gauge_file *gauge, const char *record, const char *tag,
                                struct acre_text value, const char *wanted)
{
    return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: <%s> is '%s' in %s: %s", gauge->file.name, tag,
                     acre_text_quote(value).text, record, wanted);
}

static acre_status fail_missing(const struct acre_gauge_file *gauge, const char *record, const char *tag)
{
    return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no <%s> in %s", gauge->file.name, tag, record);
}

/* QDP names its types; other writers have names of their own, and then the sizes decide. */
static bool is_colour_matrix(struct acre_text datatype)
{
    static const char matrix[] = "ColorMatrix";
    if (!acre_text_starts(datatype, "QDP_"))
        return true;
    for (size_t at = 0; at < datatype.size; ++at)
        if (acre_text_starts((struct acre_text){datatype.data + at, datatype.size - at}, matrix))
            return true;
    return false;
}

static bool find_integer(struct acre_text xml, const char *tag, int64_t *value)
{
    struct acre_text text;
    return acre_xml_find(xml, tag, &text) && acre_text_integer(text, value);
}

/* Read the description of a record. One that fits no gauge field is no error yet: another one may come. */
static void describe(struct acre_text xml, struct description *description)
{
    struct acre_text datatype = {"", 0}, precision = {"", 0};
    int64_t type_bytes = 0, count = 0, colours = 0, other = 0;
    acre_xml_find(xml, "datatype", &datatype);
    acre_xml_find(xml, "precision", &precision);
    find_integer(xml, "typesize", &type_bytes);
    find_integer(xml, "datacount", &count);
    find_integer(xml, "colors", &colours);
    bool is_double = acre_text_equal(precision, "D"), is_float = acre_text_equal(precision, "F");
    int64_t complex_bytes = is_double ? 16 : 8;
    for (int64_t n = 1; n <= ACRE_MAX_COLOURS && !colours; ++n)
        colours = n * n * complex_bytes == type_bytes ? n : 0;
    *description = (struct description){.word = is_double ? ACRE_DOUBLE : ACRE_FLOAT, .colours = colours};
    bool fits = is_colour_matrix(datatype) && (is_double || is_float) && count == 4 && colours >= 1 &&
                colours <= ACRE_MAX_COLOURS && type_bytes == colours * colours * complex_bytes;
    /* globaldata (older) and recordtype (newer): 0 is a field over the whole lattice */
    if ((find_integer(xml, "globaldata", &other) && other) ||
        (find_integer(xml, "recordtype", &other) && other))
        fits = false;
    if (!fits)
        snprintf(description->trouble, sizeof description->trouble,
                 "datatype %s, precision %s, colors %lld, typesize %lld, datacount %lld",
                 acre_text_quote(datatype).text, acre_text_quote(precision).text, (long long)colours,
                 (long long)type_bytes, (long long)count);
}

static acre_status read_description(const struct acre_gauge_file *gauge, const struct acre_lime_record *record,
                                    struct contents *contents)
{
    struct acre_text xml;
    ACRE_TRY(acre_lime_read_text(&gauge->file, record, &xml));
    contents->described += xml.size;
    if (contents->described > DESCRIPTION_BYTES) {
        free((void *)xml.data);
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: descriptions of records of more than %d bytes in all",
                         gauge->file.name, DESCRIPTION_BYTES);
    }
    describe(xml, &contents->description);
    contents->has_description = true;
    free((void *)xml.data);
    return ACRE_OK;
}

/* A binary record: the gauge field, if it is the first that can be one. */
static void take_binary(const struct acre_lime_record *record, bool is_ildg, struct contents *contents)
{
    bool is_gauge =
        is_ildg || (contents->has_description ? !contents->description.trouble[0] : contents->has_ildg);
    if (contents->has_data) {
        contents->closed = true;
    } else if (is_gauge) {
        contents->has_data = true;
        contents->is_ildg = is_ildg;
        contents->data = *record;
    } else {
        contents->passed = true;
        contents->has_sums = false;
    }
}

static acre_status take_record(const struct acre_gauge_file *gauge, const struct acre_lime_record *record,
                               struct contents *contents)
{
    if (acre_lime_is(record, "scidac-private-file-xml") && !contents->has_file) {
        contents->has_file = true;
        contents->file = *record;
    } else if (acre_lime_is(record, "scidac-private-record-xml")) {
        if (contents->has_data)
            contents->closed = true;
        else
            return read_description(gauge, record, contents);
    } else if (acre_lime_is(record, "ildg-format") && (!contents->has_data || !contents->has_ildg)) {
        contents->has_ildg = true;
        contents->ildg = *record;
    } else if (acre_lime_is(record, "ildg-binary-data")) {
        take_binary(record, true, contents);
    } else if (acre_lime_is(record, "scidac-binary-data")) {
        take_binary(record, false, contents);
    } else if (acre_lime_is(record, "scidac-checksum") && !contents->has_sums && !contents->closed &&
               (contents->has_data || !contents->passed)) {
        /* It follows its data; one before all data is taken for theirs too. */
        contents->has_sums = true;
        contents->sums = *record;
    }
    return ACRE_OK;
}

static acre_status walk(const struct acre_gauge_file *gauge, struct contents *contents)
{
    struct acre_lime_record record;
    uint64_t position = 0;
    bool found;
    for (int count = 0;; ++count) {
        ACRE_TRY(acre_lime_next(&gauge->file, &position, &record, &found));
        if (!found)
            return ACRE_OK;
        if (count == RECORD_LIMIT)
            return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: more than %d LIME records", gauge->file.name,
                             RECORD_LIMIT);
        ACRE_TRY(take_record(gauge, &record, contents));
    }
}

/* <field>su3gauge</field>; missing in some files, which are SU(3). */
static acre_status parse_ildg_field(struct acre_gauge_file *gauge, struct acre_text xml)
{
    struct acre_text field = {"su3gauge", 8};
    int64_t colours;
    acre_xml_find(xml, "field", &field);
    if (!acre_text_starts(field, "su") || field.size != 8 || memcmp(field.data + 3, "gauge", 5) != 0 ||
        !acre_text_integer((struct acre_text){field.data + 2, 1}, &colours) || colours < 1 ||
        colours > ACRE_MAX_COLOURS)
        return fail_element(gauge, "ildg-format", "field", field, "su<N>gauge with N from 1 to 8 is read");
    gauge->header.colours = (int)colours;
    return ACRE_OK;
}

static acre_status parse_ildg(struct acre_gauge_file *gauge, struct acre_text xml)
{
    static const char *const tags[4] = {"lx", "ly", "lz", "lt"};
    struct acre_text value;
    int64_t bits;
    for (int mu = 0; mu < 4; ++mu) {
        if (!acre_xml_find(xml, tags[mu], &value))
            return fail_missing(gauge, "ildg-format", tags[mu]);
        if (!acre_text_integer(value, &gauge->header.extents[mu]) || gauge->header.extents[mu] < 1)
            return fail_element(gauge, "ildg-format", tags[mu], value, "an extent is a whole number from 1 on");
    }
    if (!acre_xml_find(xml, "precision", &value))
        return fail_missing(gauge, "ildg-format", "precision");
    if (!acre_text_integer(value, &bits) || (bits != 32 && bits != 64))
        return fail_element(gauge, "ildg-format", "precision", value, "32 or 64 is read");
    gauge->header.word = bits == 64 ? ACRE_DOUBLE : ACRE_FLOAT;
    return parse_ildg_field(gauge, xml);
}

/* The extents "4 4 4 8 " that scidac-private-file-xml announces. */
static acre_status parse_file(struct acre_gauge_file *gauge, struct acre_text xml, int64_t extents[4])
{
    static const char record[] = "scidac-private-file-xml";
    struct acre_text dims, value, rest;
    int64_t volume_format;
    if (acre_xml_find(xml, "volfmt", &value) &&
        (!acre_text_integer(value, &volume_format) || volume_format != 0))
        return fail_element(gauge, record, "volfmt", value, "only 0, all in a single file, is read");
    if (!acre_xml_find(xml, "dims", &dims))
        return fail_missing(gauge, record, "dims");
    rest = dims;
    for (int mu = 0; mu < 4; ++mu)
        if (!acre_text_integer(acre_text_word(&rest), &extents[mu]) || extents[mu] < 1)
            return fail_element(gauge, record, "dims", dims, "four whole numbers from 1 on are wanted");
    if (acre_text_trim(rest).size)
        return fail_element(gauge, record, "dims", dims, "four extents are read");
    return ACRE_OK;
}

static acre_status parse_sums(struct acre_gauge_file *gauge, struct acre_text xml)
{
    static const char *const tags[2] = {"suma", "sumb"};
    struct acre_text value;
    for (int i = 0; i < 2; ++i) {
        if (!acre_xml_find(xml, tags[i], &value))
            return fail_missing(gauge, "scidac-checksum", tags[i]);
        if (!acre_text_hex32(value, &gauge->header.checksum[i]))
            return fail_element(gauge, "scidac-checksum", tags[i], value,
                                "up to 8 hexadecimal digits are wanted");
    }
    gauge->header.has_checksum = true;
    gauge->header.checksum_words = 2;
    return ACRE_OK;
}

/* What the file says of itself where both ways of saying it are used must be the same. */
static acre_status compare_extents(const struct acre_gauge_file *gauge, const int64_t scidac[4])
{
    const int64_t *ildg = gauge->header.extents;
    if (memcmp(ildg, scidac, 4 * sizeof *ildg) == 0)
        return ACRE_OK;
    return acre_fail(ACRE_ERR_FILE_FORMAT,
                     "%s: ildg-format says %lldx%lldx%lldx%lld, scidac-private-file-xml %lldx%lldx%lldx%lld",
                     gauge->file.name, (long long)ildg[0], (long long)ildg[1], (long long)ildg[2],
                     (long long)ildg[3], (long long)scidac[0], (long long)scidac[1], (long long)scidac[2],
                     (long long)scidac[3]);
}

typedef acre_status parser(struct acre_gauge_file *gauge, struct acre_text xml);

static acre_status parse_record(struct acre_gauge_file *gauge, const struct acre_lime_record *record,
                                parser *parse)
{
    struct acre_text xml;
    ACRE_TRY(acre_lime_read_text(&gauge->file, record, &xml));
    acre_status status = parse(gauge, xml);
    free((void *)xml.data);
    return status;
}

/* The extents, colours and precision: by ildg-format if there is one. */
static acre_status parse_shape(struct acre_gauge_file *gauge, const struct contents *contents)
{
    int64_t extents[4];
    bool described = contents->has_description && !contents->description.trouble[0];
    if (contents->has_file) {
        struct acre_text xml;
        ACRE_TRY(acre_lime_read_text(&gauge->file, &contents->file, &xml));
        acre_status status = parse_file(gauge, xml, extents);
        free((void *)xml.data);
        if (status != ACRE_OK)
            return status;
    }
    if (contents->has_ildg) {
        ACRE_TRY(parse_record(gauge, &contents->ildg, parse_ildg));
        return contents->has_file ? compare_extents(gauge, extents) : ACRE_OK;
    }
    if (!contents->has_file || !described)
        return acre_fail(
            ACRE_ERR_FILE_FORMAT,
            "%s: a record %s of %llu bytes, but no ildg-format that says its extents and precision",
            gauge->file.name, contents->data.type, (unsigned long long)contents->data.bytes);
    memcpy(gauge->header.extents, extents, sizeof extents);
    gauge->header.colours = (int)contents->description.colours;
    gauge->header.word = contents->description.word;
    return ACRE_OK;
}

acre_status acre_scidac_read_header(struct acre_gauge_file *gauge)
{
    struct contents contents = {0};
    ACRE_TRY(walk(gauge, &contents));
    if (!contents.has_data && contents.passed && contents.has_description)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no gauge field in it, but %s", gauge->file.name,
                         contents.description.trouble);
    if (!contents.has_data)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: a LIME file without a gauge field (no ildg-binary-data)",
                         gauge->file.name);
    gauge->header.dimension = 4;
    ACRE_TRY(parse_shape(gauge, &contents));
    if (contents.has_sums)
        ACRE_TRY(parse_record(gauge, &contents.sums, parse_sums));
    strcpy(gauge->header.format, contents.is_ildg || contents.has_ildg ? "ILDG" : "SciDAC");
    gauge->payload = (struct acre_gauge_payload){.offset = contents.data.offset,
                                                 .rows = gauge->header.colours,
                                                 .big = true,
                                                 .checksum = ACRE_CHECKSUM_SCIDAC};
    return acre_gauge_fit(gauge, contents.data.bytes,
                          contents.is_ildg ? "in its record ildg-binary-data"
                                           : "in its record scidac-binary-data");
}
