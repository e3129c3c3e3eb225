/* acre/formula.h: formulas over fields, `acre_eval(ctx, "chi = u * psi", ACRE(chi), ACRE(u), ACRE(psi))`.
 * docs/language.md describes the language. */
#ifndef ACRE_FORMULA_H
#define ACRE_FORMULA_H

#include "acre/field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One named argument of a formula: a value, good until the call returns. Made by the functions below, never
 * by hand. */
typedef struct acre_arg {
    const char *name;
    int kind;
    union {
        acre_field *field;
        acre_fields *fields;
        void *result;
        double real[2];
        int64_t integer;
    } value;
} acre_arg;

/* Fields, to read and to assign to; the const kinds refuse assignment. The name must be an identifier and no
 * word of the language; the argument keeps the pointer to it. */
ACRE_API acre_arg acre_arg_field(const char *name, acre_field *field);
ACRE_API acre_arg acre_arg_field_const(const char *name, const acre_field *field);
ACRE_API acre_arg acre_arg_fields(const char *name, acre_fields *fields);
ACRE_API acre_arg acre_arg_fields_const(const char *name, const acre_fields *fields);
/* Numbers. They are weak: rounded once to the precision of the fields they meet. */
ACRE_API acre_arg acre_arg_float(const char *name, float value);
ACRE_API acre_arg acre_arg_double(const char *name, double value);
ACRE_API acre_arg acre_arg_int(const char *name, int value);
ACRE_API acre_arg acre_arg_long(const char *name, long value);
ACRE_API acre_arg acre_arg_complex(const char *name, double re, double im);
/* Results: host variables assigned by the formula, only written if the whole call succeeds. A complex result
 * is two doubles. An integer that does not fit is ACRE_ERR_OVERFLOW. */
ACRE_API acre_arg acre_out_float(const char *name, float *result);
ACRE_API acre_arg acre_out_double(const char *name, double *result);
ACRE_API acre_arg acre_out_int(const char *name, int *result);
ACRE_API acre_arg acre_out_long(const char *name, long *result);
ACRE_API acre_arg acre_out_complex(const char *name, double *re_im);

/* Evaluate the statements of `text`. All fields must be of one context. The result variables and fields of
 * the statements are written in order; an error found before the first pass runs changes nothing.
 * Errors: ACRE_ERR_FORMULA and ACRE_ERR_TYPE (the message has the column and a caret), ACRE_ERR_ARGUMENT,
 * ACRE_ERR_UNDEFINED (a field read but never written), ACRE_ERR_CONFLICT, ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_eval_args(acre_context *context, const char *text, size_t count,
                                    const acre_arg *arguments, const char *file, int line);

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

static inline acre_arg acre_arg_c99complex_(const char *name, double _Complex value)
{
    const union {
        double _Complex value;
        double part[2];
    } parts = {value};
    return acre_arg_complex(name, parts.part[0], parts.part[1]);
}
static inline acre_arg acre_out_c99complex_(const char *name, double _Complex *result)
{
    return acre_out_complex(name, (double *)result);
}

/* ACRE(x): the variable x under its own name: a field, an array of fields, a number.
 * ACRE_AS(name, x): any expression under a name. ACRE_OUT(x): the modifiable lvalue x takes a result. */
#define ACRE_AS(name, x)                                                                                       \
    _Generic((x),                                                               \
        acre_field *: acre_arg_field,                                           \
        const acre_field *: acre_arg_field_const,                               \
        acre_fields *: acre_arg_fields,                                         \
        const acre_fields *: acre_arg_fields_const,                             \
        float: acre_arg_float,                                                  \
        double: acre_arg_double,                                                \
        int: acre_arg_int,                                                      \
        long: acre_arg_long,                                                    \
        double _Complex: acre_arg_c99complex_)((name), (x))
#define ACRE(x) ACRE_AS(#x, x)
#define ACRE_OUT_AS(name, x)                                                                                   \
    _Generic(&(x),                                                              \
        float *: acre_out_float,                                                \
        double *: acre_out_double,                                              \
        int *: acre_out_int,                                                    \
        long *: acre_out_long,                                                  \
        double _Complex *: acre_out_c99complex_)((name), &(x))
#define ACRE_OUT(x) ACRE_OUT_AS(#x, x)

/* acre_eval(context, "text", arguments…): the count, file and line come by themselves. */
#define acre_eval(context, ...) ACRE_EVAL_(context, __VA_ARGS__, (acre_arg){0})
#define ACRE_EVAL_(context, text, ...)                                                                         \
    acre_eval_args((context), (text), sizeof((acre_arg[]){__VA_ARGS__}) / sizeof(acre_arg) - 1,                \
                   (const acre_arg[]){__VA_ARGS__}, __FILE__, __LINE__)
#endif

#ifdef __cplusplus
}
#endif
#endif
