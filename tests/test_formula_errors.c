/* tests/test_formula_errors.c: formulas and arguments that are refused: the status, the words, the column, and
 * that nothing has changed. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/formula.h"
#include "formula_random.h"

Suite *acre_suite_formula_errors(void);

static acre_context *context;
static acre_lattice *lattice, *other_lattice;

/* The fields that formulas name, and the results. */
enum { FIELDS = 12 };
static const char *const field_names[FIELDS] = {"r", "c",   "f", "n", "b",   "v",
                                                "m", "psi", "w", "k", "two", "far"};
static acre_field *fields[FIELDS];
static acre_fields *links, *const_links;
static unsigned char *before[FIELDS], *after;

struct results {
    double d, complex_pair[2];
    float o;
    int e;
    long l;
};
static const struct results untouched = {1.5, {2.5, 3.5}, 4.5f, 5, 6};
static struct results results;

static size_t bytes_of(const acre_field *field)
{
    return (size_t)acre_lattice_sites(acre_field_lattice(field)) *
           acre_site_type_components(acre_field_type(field)) * acre_word_bytes(acre_field_type(field).word);
}

static void must(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

static void set_up(void)
{
    static const int64_t extents[] = {4, 2, 2, 2};
    const acre_site_type types[FIELDS] = {acre_real(ACRE_DOUBLE),
                                          acre_complex(ACRE_DOUBLE),
                                          acre_real(ACRE_FLOAT),
                                          acre_integer(),
                                          acre_boolean(),
                                          acre_colour_vector(ACRE_DOUBLE),
                                          acre_colour_matrix(ACRE_DOUBLE),
                                          acre_fermion(ACRE_FLOAT),
                                          acre_real_vector(ACRE_FLOAT, 5),
                                          acre_colour_matrix(ACRE_DOUBLE),
                                          acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, 2),
                                          acre_colour_matrix(ACRE_DOUBLE)};
    must(acre_context_create(&context));
    must(acre_lattice_create(context, 4, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_lattice_create(context, 3, extents, ACRE_SITES_DEFAULT, &other_lattice));
    for (int f = 0; f < FIELDS; ++f) {
        acre_format format = {f % 2 ? ACRE_SITE_SLOW : ACRE_SITE_FAST, ACRE_NATIVE};
        must(acre_field_create(f == FIELDS - 1 ? other_lattice : lattice, types[f], format, field_names[f],
                               &fields[f]));
        before[f] = malloc(bytes_of(fields[f]));
        ck_assert_ptr_nonnull(before[f]);
        for (size_t i = 0; i < bytes_of(fields[f]); ++i)
            before[f][i] = (unsigned char)(types[f].word == ACRE_BOOL ? i & 1 : i % 63);
        must(acre_field_import(fields[f], before[f], bytes_of(fields[f])));
    }
    must(acre_fields_create(lattice, types[6], (acre_format){0}, 4, "links", &links));
    must(acre_fields_create(lattice, types[6], (acre_format){0}, 2, "const_links", &const_links));
    after = malloc(1 << 16);
    ck_assert_ptr_nonnull(after);
    results = untouched;
}

static void tear_down(void)
{
    for (int f = 0; f < FIELDS; ++f) {
        acre_field_destroy(fields[f]);
        free(before[f]);
    }
    free(after);
    acre_fields_destroy(links);
    acre_fields_destroy(const_links);
    acre_lattice_destroy(lattice);
    acre_lattice_destroy(other_lattice);
    acre_context_destroy(context);
}

static void expect_untouched(const char *text)
{
    for (int f = 0; f < FIELDS; ++f) {
        must(acre_field_export(fields[f], after, bytes_of(fields[f])));
        ck_assert_msg(memcmp(after, before[f], bytes_of(fields[f])) == 0, "\"%.80s\" has changed %s", text,
                      field_names[f]);
    }
    ck_assert_msg(results.d == untouched.d && results.o == untouched.o && results.e == untouched.e &&
                      results.l == untouched.l && results.complex_pair[0] == untouched.complex_pair[0] &&
                      results.complex_pair[1] == untouched.complex_pair[1],
                  "\"%.80s\" has changed a result", text);
}

static acre_status evaluate(const char *text)
{
    acre_arg arguments[FIELDS + 10];
    size_t count = 0;
    for (int f = 0; f < FIELDS; ++f)
        arguments[count++] = strcmp(field_names[f], "k") == 0 ? acre_arg_field_const("k", fields[f])
                                                              : acre_arg_field(field_names[f], fields[f]);
    arguments[count++] = acre_arg_fields("u", links);
    arguments[count++] = acre_arg_fields_const("ku", const_links);
    arguments[count++] = acre_arg_double("x", 2.5);
    arguments[count++] = acre_arg_int("j", 1);
    arguments[count++] = acre_arg_complex("q", 0.5, -1);
    arguments[count++] = acre_out_double("d", &results.d);
    arguments[count++] = acre_out_float("o", &results.o);
    arguments[count++] = acre_out_int("e", &results.e);
    arguments[count++] = acre_out_long("l", &results.l);
    arguments[count++] = acre_out_complex("g", results.complex_pair);
    return acre_eval_args(context, text, count, arguments, "call.c", 7);
}

/* The message has the column; its last two lines are the formula's line and a caret under that column. */
static void expect_caret(const char *text, int column)
{
    char where[64];
    const char *message = acre_message(), *shown = strchr(message, '\n');
    snprintf(where, sizeof where, "call.c:7: formula, column %d: ", column);
    ck_assert_msg(strncmp(message, where, strlen(where)) == 0, "\"%.80s\": column %d expected:\n%s", text,
                  column, message);
    ck_assert_ptr_nonnull(shown);
    const char *caret = strchr(shown + 1, '\n');
    ck_assert_ptr_nonnull(caret);
    const size_t at = strlen(caret + 1) - 1;
    ck_assert_msg(strspn(caret + 1, " ") == at && caret[1 + at] == '^', "no caret:\n%s", message);
    const size_t begin = column > 51 ? (size_t)column - 51 : 0; /* a long line is shown from there on */
    ck_assert_msg(at == 2 + (size_t)column - 1 - begin, "the caret is in the wrong place:\n%s", message);
    for (const char *c = shown + 3, *wanted = text + begin; c < caret; ++c, ++wanted)
        ck_assert_msg(*c == (*wanted < 32 && *wanted > 0 ? ' ' : *wanted), "another text is shown:\n%s",
                      message);
}

static const struct row {
    const char *text;
    acre_status status;
    const char *words;
    int column;
} rows[] = {
    /* ---- the grammar ---- */
    {"", ACRE_ERR_FORMULA, "an empty formula", 1},
    {"  // nothing", ACRE_ERR_FORMULA, "an empty formula", 1},
    {"r", ACRE_ERR_FORMULA, "'=' (or '+=', '-=', '*=', '/=') expected, but the formula ends", 2},
    {"r r", ACRE_ERR_FORMULA, "'=' (or '+=', '-=', '*=', '/=') expected, found 'r'", 3},
    {"r = ", ACRE_ERR_FORMULA, "a value expected, but the formula ends", 5},
    {"r == r", ACRE_ERR_FORMULA, "a value expected, found '='", 4},
    {"= r", ACRE_ERR_FORMULA, "the name to assign to expected, found '='", 1},
    {"; r = 1", ACRE_ERR_FORMULA, "the name to assign to expected, found ';'", 1},
    {"2 = r", ACRE_ERR_FORMULA, "the name to assign to expected, found '2'", 1},
    {"(r) = r", ACRE_ERR_FORMULA, "the name to assign to expected, found '('", 1},
    {"adj(m) = m", ACRE_ERR_FORMULA, "only an argument can be assigned to", 1},
    {"pi = 3", ACRE_ERR_FORMULA, "only an argument can be assigned to", 1},
    {"zero = r", ACRE_ERR_FORMULA, "only an argument can be assigned to", 1},
    {"r = r r", ACRE_ERR_FORMULA, "';' expected, found 'r'", 7},
    {"r = (r", ACRE_ERR_FORMULA, "')' expected, but the formula ends", 7},
    {"r = r)", ACRE_ERR_FORMULA, "';' expected, found ')'", 6},
    {"r = r +", ACRE_ERR_FORMULA, "a value expected, but the formula ends", 8},
    {"r = r + * r", ACRE_ERR_FORMULA, "a value expected, found '*'", 9},
    {"r = ()", ACRE_ERR_FORMULA, "a value expected, found ')'", 6},
    {"m = u[1", ACRE_ERR_FORMULA, "']' expected, but the formula ends", 8},
    {"m = u[]", ACRE_ERR_FORMULA, "a value expected, found ']'", 7},
    {"r = (r, r)", ACRE_ERR_FORMULA, "')' expected, found ','", 7},
    {"r = r; r = ", ACRE_ERR_FORMULA, "a value expected, but the formula ends", 12},
    {"r = 1 +", ACRE_ERR_FORMULA, "a value expected", 8},
    {"r = r[even][odd]", ACRE_ERR_FORMULA, "';' expected, found '['", 12},
    {"r = u[1][2]", ACRE_ERR_FORMULA, "';' expected, found '['", 9},
    {"r = 5[1]", ACRE_ERR_FORMULA, "';' expected, found '['", 6},
    {"m = (u)[1]", ACRE_ERR_FORMULA, "';' expected, found '['", 8},
    /* ---- characters and numbers ---- */
    {"r = r ? r", ACRE_ERR_FORMULA, "character 0x3f", 7},
    {"r = r ^ 2", ACRE_ERR_FORMULA, "character 0x5e", 7},
    {"r = r \xc3\x97 r", ACRE_ERR_FORMULA, "character 0xc3", 7},
    {"\xce\xb1 = r", ACRE_ERR_FORMULA, "character 0xce", 1},
    {"r = \xff", ACRE_ERR_FORMULA, "character 0xff", 5},
    {"r = \x01", ACRE_ERR_FORMULA, "character 0x01", 5},
    {"r = .", ACRE_ERR_FORMULA, "character 0x2e", 5},
    {"r = 1.2.3", ACRE_ERR_FORMULA, "malformed number", 8},
    {"r = 1..2", ACRE_ERR_FORMULA, "malformed number", 7},
    {"r = 0x10", ACRE_ERR_FORMULA, "malformed number", 6},
    {"r = 1e", ACRE_ERR_FORMULA, "malformed number", 6},
    {"r = 1e+", ACRE_ERR_FORMULA, "malformed number", 6},
    {"r = 2x", ACRE_ERR_FORMULA, "malformed number", 6},
    {"r = 1.0f", ACRE_ERR_FORMULA, "malformed number", 8},
    {"r = 9223372036854775808", ACRE_ERR_FORMULA, "integer too large (write 9223372036854775808.0 for a real)",
     5},
    {"r = 1e999", ACRE_ERR_FORMULA, "number too large", 5},
    /* ---- names ---- */
    {"r = y", ACRE_ERR_FORMULA, "unknown name 'y'", 5},
    {"y = r", ACRE_ERR_FORMULA, "unknown name 'y'", 1},
    {"r = R", ACRE_ERR_FORMULA, "unknown name 'R'", 5},
    {"m = y[1]", ACRE_ERR_FORMULA, "unknown name 'y'", 5},
    {"m = u[y]", ACRE_ERR_FORMULA, "unknown name 'y'", 7},
    {"r = frob(r)", ACRE_ERR_FORMULA, "unknown function 'frob'", 5},
    {"r = Sqrt(r)", ACRE_ERR_FORMULA, "unknown function 'Sqrt'", 5},
    {"r = r(1)", ACRE_ERR_FORMULA, "unknown function 'r'", 5},
    {"r = sqrt", ACRE_ERR_FORMULA, "'(' expected, but the formula ends", 9},
    {"sum = r", ACRE_ERR_FORMULA, "'(' expected, found '='", 5},
    {"r = even", ACRE_ERR_FORMULA, "a subset is no value", 5},
    {"r = 2 * all", ACRE_ERR_FORMULA, "a subset is no value", 9},
    /* ---- how many arguments ---- */
    {"r = sqrt()", ACRE_ERR_FORMULA, "a value expected, found ')'", 10},
    {"m = adj(m, m)", ACRE_ERR_FORMULA, "too many arguments: adj(a)", 12},
    {"m = shift(m)", ACRE_ERR_FORMULA, "too few arguments: shift(a, n, mu)", 12},
    {"m = shift(m, 1)", ACRE_ERR_FORMULA, "too few arguments: shift(a, n, mu)", 15},
    {"m = shift(m, 1, 1, 1)", ACRE_ERR_FORMULA, "too many arguments: shift(a, n, mu)", 20},
    {"g = innerProduct(m)", ACRE_ERR_FORMULA, "too few arguments: innerProduct(a, b)", 19},
    {"g = innerProduct(m, m, all, m)", ACRE_ERR_FORMULA, "too many arguments", 29},
    {"d = norm2(m, m, m)", ACRE_ERR_FORMULA, "too many arguments: norm2(a), norm2(a, even)", 17},
    {"d = norm2(m, m)", ACRE_ERR_FORMULA, "a subset (all, even, odd) expected", 14},
    {"d = norm2(m, zero)", ACRE_ERR_FORMULA, "a subset (all, even, odd) expected", 14},
    {"d = sum(r, 1)", ACRE_ERR_FORMULA, "a subset (all, even, odd) expected", 12},
    /* ---- shapes ---- */
    {"v = v * m", ACRE_ERR_TYPE, "colour vector \xc3\x97 colour matrix: no such product", 7},
    {"v = v * v", ACRE_ERR_TYPE, "colour vector \xc3\x97 colour vector: no such product", 7},
    {"psi = psi * m", ACRE_ERR_TYPE, "fermion \xc3\x97 colour matrix: no such product", 11},
    {"m = m * two", ACRE_ERR_TYPE, "colour matrix \xc3\x97 colour matrix (Nc = 2): no such product", 7},
    {"w = w * w", ACRE_ERR_TYPE, "real vector (n = 5) \xc3\x97 real vector (n = 5): no such product", 7},
    {"v = 1 + v", ACRE_ERR_TYPE, "integer + colour vector: no such sum", 7},
    {"v = v - x", ACRE_ERR_TYPE, "colour vector - real number: no such difference", 7},
    {"v = v + r", ACRE_ERR_TYPE, "colour vector + real number: no such sum", 7},
    {"m = v + m", ACRE_ERR_TYPE, "colour vector + colour matrix: no such sum", 7},
    {"m = m + two", ACRE_ERR_TYPE, "colour matrix + colour matrix (Nc = 2): no such sum", 7},
    {"psi = psi + v", ACRE_ERR_TYPE, "fermion + colour vector: no such sum", 11},
    {"m = m / m", ACRE_ERR_TYPE, "colour matrix / colour matrix: no such quotient", 7},
    {"r = r / v", ACRE_ERR_TYPE, "real number / colour vector: no such quotient", 7},
    {"v += m", ACRE_ERR_TYPE, "colour vector + colour matrix: no such sum", 3},
    {"v *= m", ACRE_ERR_TYPE, "colour vector \xc3\x97 colour matrix: no such product", 3},
    {"v = adj(v)", ACRE_ERR_TYPE, "adj of a colour vector field", 5},
    {"psi = adj(psi)", ACRE_ERR_TYPE, "adj of a fermion field", 7},
    {"c = trace(v)", ACRE_ERR_TYPE, "trace of a colour vector field", 5},
    {"c = trace(sum(v))", ACRE_ERR_TYPE, "trace of a colour vector", 5},
    {"v = m", ACRE_ERR_TYPE, "a colour matrix can't be assigned to the colour vector field 'v'", 5},
    {"m = v", ACRE_ERR_TYPE, "a colour vector can't be assigned to the colour matrix field 'm'", 5},
    {"m = two", ACRE_ERR_TYPE, "a colour matrix (Nc = 2) can't be assigned to the colour matrix field 'm'", 5},
    {"v = 1", ACRE_ERR_TYPE, "an integer can't be assigned to the colour vector field 'v'", 5},
    {"v = x", ACRE_ERR_TYPE, "a real number can't be assigned to the colour vector field 'v'", 5},
    {"r = v", ACRE_ERR_TYPE, "a complex value for the real field 'r'", 5},
    {"w = r", ACRE_ERR_TYPE, "a real number can't be assigned to the real vector (n = 5) field 'w'", 5},
    {"g = innerProduct(v, psi)", ACRE_ERR_TYPE, "innerProduct of a colour vector and a fermion", 5},
    {"g = innerProduct(m, two)", ACRE_ERR_TYPE, "innerProduct of a colour matrix and a colour matrix (Nc = 2)",
     5},
    /* ---- words ---- */
    {"r = c", ACRE_ERR_TYPE, "a complex value for the real field 'r': take real()", 5},
    {"r = i", ACRE_ERR_TYPE, "a complex value for the real field 'r'", 5},
    {"f = f * q", ACRE_ERR_TYPE, "a complex value for the real field 'f'", 7},
    {"r += c", ACRE_ERR_TYPE, "a complex value for the real field 'r'", 3},
    {"n = n * 1.5", ACRE_ERR_TYPE, "integer field with a real number", 7},
    {"n = n + x", ACRE_ERR_TYPE, "integer field with a real number", 7},
    {"n = n / (1 / 2)", ACRE_ERR_TYPE, "integer field with a real number", 7},
    {"f = pi * n", ACRE_ERR_TYPE, "integer field with a real number", 8},
    {"n = r", ACRE_ERR_TYPE, "a real number can't be assigned to the integer field 'n'", 5},
    {"n = 1.0", ACRE_ERR_TYPE, "a real number can't be assigned to the integer field 'n'", 5},
    {"n = b", ACRE_ERR_TYPE, "a boolean can't be assigned to the integer field 'n'", 5},
    {"b = n", ACRE_ERR_TYPE, "an integer can't be assigned to the boolean field 'b'", 5},
    {"b = 0.5", ACRE_ERR_TYPE, "a real number can't be assigned to the boolean field 'b'", 5},
    {"r = b", ACRE_ERR_TYPE, "a boolean can't be assigned to the real number field 'r'", 5},
    {"b = b + b", ACRE_ERR_TYPE, "booleans have no arithmetic", 7},
    {"b = 1 * b", ACRE_ERR_TYPE, "booleans have no arithmetic", 7},
    {"b = -b", ACRE_ERR_TYPE, "booleans have no arithmetic", 5},
    {"r = real(b)", ACRE_ERR_TYPE, "real of a boolean field", 5},
    {"l = norm2(b)", ACRE_ERR_TYPE, "norm2 of a boolean field", 5},
    {"c = sqrt(c)", ACRE_ERR_TYPE, "sqrt of a complex number field", 5},
    {"g = sqrt(i)", ACRE_ERR_TYPE, "sqrt of a complex number", 5},
    {"m = sqrt(m)", ACRE_ERR_TYPE, "sqrt of a colour matrix field", 5},
    {"n = sqrt(n)", ACRE_ERR_TYPE, "sqrt of an integer field", 5},
    {"m = reunit(c)", ACRE_ERR_TYPE, "reunit of a complex number field", 5},
    {"m = reunit(real(m))", ACRE_ERR_TYPE, "reunit of a colour matrix field", 5},
    {"n = random(n)", ACRE_ERR_TYPE, "random of an integer field", 5},
    {"d = random(x)", ACRE_ERR_TYPE, "random of a real number", 5},
    /* ---- what can be assigned to ---- */
    {"k = m", ACRE_ERR_FORMULA, "'k' is const", 1},
    {"ku[0] = m", ACRE_ERR_FORMULA, "'ku' is const", 1},
    {"x = 1", ACRE_ERR_FORMULA, "'x' is an argument by value: pass it with ACRE_OUT to assign to it", 1},
    {"j = 1", ACRE_ERR_FORMULA, "'j' is an argument by value", 1},
    {"u = m", ACRE_ERR_TYPE, "'u' is an array of fields: u[mu]", 1},
    {"m = u", ACRE_ERR_TYPE, "'u' is an array of fields: u[mu]", 5},
    {"m = m[1]", ACRE_ERR_TYPE, "'m' is not an array of fields", 5},
    {"m[1] = m", ACRE_ERR_TYPE, "'m' is not an array of fields", 1},
    {"d[1] = 2", ACRE_ERR_TYPE, "'d' is not an array of fields", 1},
    {"d[even] = 2", ACRE_ERR_FORMULA, "'d' is a number: it has no subset", 3},
    {"r[even][odd] = 2", ACRE_ERR_FORMULA, "a second subset", 9},
    {"u[1][even][odd] = m", ACRE_ERR_FORMULA, "a second subset", 12},
    {"u[1][2] = m", ACRE_ERR_FORMULA, "a subset (even, odd, all) expected: u[mu][even]", 6},
    {"u[even][1] = m", ACRE_ERR_FORMULA, "a subset (even, odd, all) expected: u[mu][even]", 9},
    {"u[4] = m", ACRE_ERR_FORMULA, "index 4 of 'u', which has 4 fields", 3},
    {"m = u[-1]", ACRE_ERR_FORMULA, "index -1 of 'u', which has 4 fields", 7},
    {"m = ku[j + 1]", ACRE_ERR_FORMULA, "index 2 of 'ku', which has 2 fields", 10},
    {"m = u[1.0]", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 7},
    {"m = u[x]", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 7},
    {"m = u[4 / 2]", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 9},
    {"m = u[sqrt(1)]", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 7},
    {"l = 1; m = u[l]", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 14},
    {"m = u[9223372036854775807 + 1]", ACRE_ERR_OVERFLOW, "integer too large", 27},
    {"m = u[-9223372036854775807 - 2]", ACRE_ERR_OVERFLOW, "integer too large", 28},
    {"m = u[3037000500 * 3037000500]", ACRE_ERR_OVERFLOW, "integer too large", 18},
    {"r[1] = r", ACRE_ERR_TYPE, "'r' is not an array of fields", 1},
    /* ---- results ---- */
    {"d = r", ACRE_ERR_TYPE, "'d' takes a number, this is a field (real number): reduce it, as by sum()", 5},
    {"d = sum(v)", ACRE_ERR_TYPE, "'d' takes a number, this is a colour vector", 5},
    {"d = i", ACRE_ERR_TYPE, "'d' is a real variable, the value is complex: take real()", 5},
    {"d = innerProduct(v, v)", ACRE_ERR_TYPE, "'d' is a real variable, the value is complex", 5},
    {"l = norm2(r)", ACRE_ERR_TYPE, "'l' is an integer variable, the value is real", 5},
    {"e = 1 / 2", ACRE_ERR_TYPE, "'e' is an integer variable, the value is real", 7},
    {"r = d * r", ACRE_ERR_FORMULA, "'d' is read before it is assigned", 5},
    {"d += 1", ACRE_ERR_FORMULA, "'d' is read before it is assigned", 1},
    {"d = d", ACRE_ERR_FORMULA, "'d' is read before it is assigned", 5},
    {"r = o; o = 1", ACRE_ERR_FORMULA, "'o' is read before it is assigned", 5},
    {"d = sum(3)", ACRE_ERR_TYPE, "sum needs a field, this is a number", 9},
    {"d = norm2(x)", ACRE_ERR_TYPE, "norm2 needs a field, this is a number", 11},
    {"g = innerProduct(v, 2)", ACRE_ERR_TYPE, "innerProduct needs a field, this is a number", 21},
    {"d = norm2(norm2(v))", ACRE_ERR_TYPE, "norm2 needs a field, this is a number", 11},
    /* ---- zero, shift, lattices ---- */
    {"r = r + zero", ACRE_ERR_FORMULA, "zero stands alone on the right of an assignment", 9},
    {"r = -zero", ACRE_ERR_FORMULA, "zero stands alone on the right of an assignment", 6},
    {"r += zero", ACRE_ERR_FORMULA, "zero stands alone on the right of an assignment", 6},
    {"m = adj(zero)", ACRE_ERR_FORMULA, "zero stands alone on the right of an assignment", 9},
    {"r = shift(2, 1, 0)", ACRE_ERR_TYPE, "shift needs a field, this is a number", 11},
    {"r = shift(sum(r), 1, 0)", ACRE_ERR_TYPE, "shift needs a field, this is a number", 11},
    {"r = shift(r, 1, 4)", ACRE_ERR_FORMULA, "direction 4 of a 4-dimensional lattice", 17},
    {"r = shift(r, 1, -1)", ACRE_ERR_FORMULA, "direction -1 of a 4-dimensional lattice", 17},
    {"far = shift(far, 1, 3)", ACRE_ERR_FORMULA, "direction 3 of a 3-dimensional lattice", 21},
    {"r = shift(r, 0.5, 0)", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 14},
    {"r = shift(r, 1, x)", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 17},
    {"r = shift(r, n, 0)", ACRE_ERR_TYPE, "an integer constant or integer argument expected", 14},
    {"m = m * far", ACRE_ERR_TYPE, "fields of different lattices: 4x2x2x2 and 4x2x2", 7},
    {"m = far", ACRE_ERR_TYPE, "fields of different lattices: 4x2x2x2 and 4x2x2", 5},
    {"far = m", ACRE_ERR_TYPE, "fields of different lattices: 4x2x2 and 4x2x2x2", 7},
    {"g = innerProduct(m, far)", ACRE_ERR_TYPE, "fields of different lattices: 4x2x2x2 and 4x2x2", 5},
    /* ---- an error late in the formula: nothing of it is done ---- */
    {"r = 1; d = 2; l = 3; m = zero; v = v * m", ACRE_ERR_TYPE, "no such product", 38},
    {"r = 1; d = sum(r); y = 2", ACRE_ERR_FORMULA, "unknown name 'y'", 20},
};

START_TEST(wrong_formulas_are_refused)
{
    const struct row *row = &rows[_i];
    const acre_status status = evaluate(row->text);
    ck_assert_msg(status == row->status, "\"%s\": %s instead of %s (%s)", row->text, acre_status_name(status),
                  acre_status_name(row->status), status ? acre_message() : "");
    ck_assert_msg(strstr(acre_message(), row->words) != NULL, "\"%s\" lacks \"%s\"", acre_message(),
                  row->words);
    expect_caret(row->text, row->column);
    expect_untouched(row->text);
}
END_TEST

/* ---- large formulas ---- */

static char *repeated(const char *begin, const char *part, size_t count, const char *end)
{
    const size_t length = strlen(part);
    char *text = malloc(strlen(begin) + count * length + strlen(end) + 1), *to = text;
    ck_assert_ptr_nonnull(text);
    to = stpcpy(to, begin);
    for (size_t i = 0; i < count; ++i)
        to = stpcpy(to, part);
    strcpy(to, end);
    return text;
}

static const struct {
    const char *begin, *part;
    size_t count;
    const char *end;
    acre_status status;
    const char *words;
} large[] = {
    {"r = ", "(", 50000, "r", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"r = ", "(", 100000, "r", ACRE_ERR_FORMULA, "a formula of 100005 bytes; the longest is 65536"},
    {"r = ", "-", 50000, "r", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"r = ", "+", 50000, "r", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"r = ", "-", 100000, "r", ACRE_ERR_FORMULA, "a formula of 100005 bytes"},
    {"m = ", "adj(", 16000, "m", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"r = ", "1+(", 20000, "r", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"m = ", "u[", 30000, "1", ACRE_ERR_FORMULA, "nested more than 200 deep"},
    {"r = r", "+r", 2000, "", ACRE_ERR_FORMULA, "more than 1000 operations inside each other"},
    {"r = r", "*r", 2000, "", ACRE_ERR_FORMULA, "more than 1000 operations inside each other"},
    {"m", "[", 60000, "", ACRE_ERR_FORMULA, "a value expected"},
    {"r = r // ", "-", 1048576, "", ACRE_ERR_FORMULA, "a formula of 1048585 bytes; the longest is 65536"},
    {"r = 1", "0", 60000, "", ACRE_ERR_FORMULA, "integer too large (write it with .0 for a real)"},
    {"r = 1.", "0", 60000, "?", ACRE_ERR_FORMULA, "character 0x3f"},
    {"r = y", "y", 60000, "", ACRE_ERR_FORMULA, "unknown name 'yyyyyyyy"},
    {"r = y", "y", 60000, "(1)", ACRE_ERR_FORMULA, "unknown function 'yyyyyyyy"},
    {"r = 1;", "\n", 60000, "r = y", ACRE_ERR_FORMULA, "line 60001, column 5: unknown name 'y'"},
};

START_TEST(large_wrong_formulas_are_refused)
{
    char *text = repeated(large[_i].begin, large[_i].part, large[_i].count, large[_i].end);
    const acre_status status = evaluate(text);
    ck_assert_msg(status == large[_i].status, "\"%.20s\" %zu times \"%s\": %s (%.200s)", large[_i].begin,
                  large[_i].count, large[_i].part, acre_status_name(status), acre_message());
    ck_assert_msg(strstr(acre_message(), large[_i].words) != NULL, "\"%.300s\" lacks \"%s\"", acre_message(),
                  large[_i].words);
    ck_assert_uint_lt(strlen(acre_message()), 1000);
    expect_untouched(text);
    free(text);
}
END_TEST

START_TEST(large_right_formulas_work)
{
    static const struct {
        const char *begin, *part;
        size_t count;
        const char *end;
        double value;
    } right[] = {
        {"d = 1", "+1", 990, "", 991},
        {"d = ", "-", 190, "1", 1},
        {"d = ", "1*(", 190, "1", 0},
        {"r = 1; d = sum(r", "+r", 900, ")", 901 * 32},
        {"d = 0", "; d = d + 1", 5000, "", 5000},
        {"d = 3 // ", "(", 60000, "", 3},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; ++i) {
        char *text = repeated(right[i].begin, right[i].part, right[i].count, right[i].end);
        if (i == 2) { /* it needs the other parentheses, too */
            free(text);
            char *inner = repeated("d = ", "1*(", 190, "2");
            text = repeated(inner, ")", 190, "");
            free(inner);
        }
        ck_assert_msg(evaluate(text) == ACRE_OK, "\"%.40s\": %.300s", text, acre_message());
        ck_assert_msg(results.d == (i == 2 ? 2 : right[i].value), "\"%.40s\" gives %g", text, results.d);
        free(text);
    }
}
END_TEST

START_TEST(a_long_line_is_shown_around_the_column)
{
    char *text = repeated("r = r", " + r", 300, " + yy + r");
    ck_assert_int_eq(evaluate(text), ACRE_ERR_FORMULA);
    expect_caret(text, 5 + 4 * 300 + 4);
    free(text);
}
END_TEST

static void expect_frame(const char *text, const char *begin, const char *end)
{
    ck_assert_int_ne(evaluate(text), ACRE_OK);
    const char *message = acre_message();
    const size_t length = strlen(message);
    ck_assert_msg(strncmp(message, begin, strlen(begin)) == 0, "\"%s\" does not begin with \"%s\"", message,
                  begin);
    ck_assert_msg(length > strlen(end) && strcmp(message + length - strlen(end), end) == 0,
                  "\"%s\" does not end with \"%s\"", message, end);
}

START_TEST(the_column_counts_from_the_line_and_the_caret_from_the_screen)
{
    expect_frame("r = 1; // \xc3\xa9t\xc3\xa9\n  r = yy;",
                 "call.c:7: formula, line 2, column 7: unknown name 'yy'", "\n    r = yy;\n        ^");
    expect_frame("r =\ty", "call.c:7: formula, column 5: unknown name 'y'", "\n  r = y\n      ^");
    expect_frame("v = 2 * v * m",
                 "call.c:7: formula, column 11: colour vector \xc3\x97 colour matrix: no such product",
                 "\n  v = 2 * v * m\n            ^");
}
END_TEST

/* ---- mutations ---- */

/* Characters lost, added and exchanged: an answer, whatever it is. */
START_TEST(damaged_formulas_get_an_answer)
{
    static const char *const sound[] = {
        "r = real(trace(u[1] * adj(m))) / 3 - 0.5e-3 * r; d = sum(r, even)",
        "m[odd] += shift(shift(m, -1, 2) * u[j + 1], FORWARD, 0) - q * pi; g = innerProduct(m, k)",
        "v = (m + 2 - i) * v; psi *= x / norm2(v); // 3",
        "n = -n * 7 + (n - 1) / 2; l = norm2(n, odd); b[even] = 1"};
    static const char characters[] = "rcfnbvmu()[]=+-*/;,.019e ixjdlg\n\x80";
    uint64_t state = 12345;
    char text[256];
    for (int trial = 0; trial < 4000; ++trial) {
        strcpy(text, sound[trial % 4]);
        for (unsigned edits = 1 + (unsigned)(random_bits(&state) % 3); edits > 0; --edits) {
            const size_t length = strlen(text), at = random_bits(&state) % length;
            const char c = characters[random_bits(&state) % (sizeof characters - 1)];
            switch (random_bits(&state) % 3) {
            case 0:
                memmove(text + at, text + at + 1, length - at);
                break;
            case 1:
                memmove(text + at + 1, text + at, length - at + 1);
                text[at] = c;
                break;
            default:
                text[at] = c;
                break;
            }
        }
        const acre_status status = evaluate(text);
        if (status != ACRE_OK && status != ACRE_ERR_FORMULA && status != ACRE_ERR_TYPE &&
            status != ACRE_ERR_OVERFLOW && status != ACRE_ERR_UNDEFINED)
            ck_abort_msg("\"%s\": %s", text, acre_message());
        if (status == ACRE_ERR_FORMULA && !strstr(acre_message(), "\n  "))
            ck_abort_msg("\"%s\": no caret: %s", text, acre_message());
    }
}
END_TEST

START_TEST(numbers_have_a_point_in_every_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    char *old = strdup(setlocale(LC_NUMERIC, NULL));
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        setlocale(LC_NUMERIC, names[i]); /* where it is installed */
        must(evaluate("d = 2.5e1"));
        ck_assert(results.d == 25);
    }
    setlocale(LC_NUMERIC, old);
    free(old);
}
END_TEST

/* ---- integers that do not fit ---- */

START_TEST(integers_that_do_not_fit_are_refused)
{
    static const struct {
        const char *text, *words;
    } too_large[] = {
        {"n = 2147483648", "2147483648 does not fit into an integer field"},
        {"n = -2147483649", "-2147483649 does not fit into an integer field"},
        {"n = n + 3000000000", "3000000000 does not fit into an integer field"},
        {"n += 65536 * 65536", "4294967296 does not fit into an integer field"},
        {"r = 1; n = 2147483648", "2147483648 does not fit into an integer field"},
        {"d = 1; e = 2147483648", "result 'e' is 2147483648, which does not fit its type"},
        {"e = -2147483649", "result 'e' is -2147483649, which does not fit its type"},
        {"l = 1; e = 7; e = 2147483648", "result 'e' is 2147483648, which does not fit its type"},
    };
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; ++i) {
        const acre_status status = evaluate(too_large[i].text);
        ck_assert_msg(status == ACRE_ERR_OVERFLOW, "\"%s\": %s", too_large[i].text, acre_status_name(status));
        ck_assert_msg(strstr(acre_message(), too_large[i].words) != NULL, "\"%s\": %s", too_large[i].text,
                      acre_message());
        expect_untouched(too_large[i].text);
    }
    ck_assert_msg(evaluate("n = 2147483647; n = -2147483648; e = 2147483647; e = -2147483648") == ACRE_OK, "%s",
                  acre_message());
    ck_assert_int_eq(results.e, -2147483647 - 1);
    ck_assert_msg(evaluate("l = 9223372036854775807; l = -l - 1") == ACRE_OK, "%s", acre_message());
    ck_assert(results.l == -9223372036854775807L - 1);
}
END_TEST

Suite *acre_suite_formula_errors(void)
{
    Suite *suite = suite_create("formula errors");
    TCase *tests = tcase_create("refusals");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, wrong_formulas_are_refused, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tests, large_wrong_formulas_are_refused, 0, sizeof large / sizeof *large);
    tcase_add_test(tests, large_right_formulas_work);
    tcase_add_test(tests, a_long_line_is_shown_around_the_column);
    tcase_add_test(tests, the_column_counts_from_the_line_and_the_caret_from_the_screen);
    tcase_add_test(tests, damaged_formulas_get_an_answer);
    tcase_add_test(tests, numbers_have_a_point_in_every_locale);
    tcase_add_test(tests, integers_that_do_not_fit_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
