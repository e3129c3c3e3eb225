/* core/program/argument.c: making and checking the arguments of formulas. */
#include "core/program/argument.h"

#include <string.h>

#include "core/base/fail.h"
#include "core/program/language.h"

static acre_arg make(const char *name, enum acre_arg_kind kind)
{
    acre_arg argument = {.name = name, .kind = (int)kind};
    return argument;
}

/* A const object keeps its kind, by which assignment is refused. */
static acre_arg make_field(const char *name, enum acre_arg_kind kind, const acre_field *field)
{
    acre_arg argument = make(name, kind);
    memcpy(&argument.value.field, &field, sizeof field);
    return argument;
}

static acre_arg make_fields(const char *name, enum acre_arg_kind kind, const acre_fields *fields)
{
    acre_arg argument = make(name, kind);
    memcpy(&argument.value.fields, &fields, sizeof fields);
    return argument;
}

static acre_arg make_result(const char *name, enum acre_arg_kind kind, void *result)
{
    acre_arg argument = make(name, kind);
    argument.value.result = result;
    return argument;
}

acre_arg acre_arg_field(const char *name, acre_field *field)
{
    return make_field(name, ACRE_ARG_FIELD, field);
}
acre_arg acre_arg_field_const(const char *name, const acre_field *field)
{
    return make_field(name, ACRE_ARG_FIELD_CONST, field);
}
acre_arg acre_arg_fields(const char *name, acre_fields *fields)
{
    return make_fields(name, ACRE_ARG_FIELDS, fields);
}
acre_arg acre_arg_fields_const(const char *name, const acre_fields *fields)
{
    return make_fields(name, ACRE_ARG_FIELDS_CONST, fields);
}

acre_arg acre_arg_complex(const char *name, double re, double im)
{
    acre_arg argument = make(name, ACRE_ARG_COMPLEX);
    argument.value.real[0] = re;
    argument.value.real[1] = im;
    return argument;
}
acre_arg acre_arg_double(const char *name, double value)
{
    acre_arg argument = make(name, ACRE_ARG_REAL);
    argument.value.real[0] = value;
    return argument;
}
acre_arg acre_arg_float(const char *name, float value)
{
    return acre_arg_double(name, (double)value);
}
acre_arg acre_arg_long(const char *name, long value)
{
    acre_arg argument = make(name, ACRE_ARG_INTEGER);
    argument.value.integer = value;
    return argument;
}
acre_arg acre_arg_int(const char *name, int value)
{
    return acre_arg_long(name, value);
}

acre_arg acre_out_float(const char *name, float *result)
{
    return make_result(name, ACRE_ARG_OUT_FLOAT, result);
}
acre_arg acre_out_double(const char *name, double *result)
{
    return make_result(name, ACRE_ARG_OUT_DOUBLE, result);
}
acre_arg acre_out_int(const char *name, int *result)
{
    return make_result(name, ACRE_ARG_OUT_INT, result);
}
acre_arg acre_out_long(const char *name, long *result)
{
    return make_result(name, ACRE_ARG_OUT_LONG, result);
}
acre_arg acre_out_complex(const char *name, double *re_im)
{
    return make_result(name, ACRE_ARG_OUT_COMPLEX, re_im);
}

int acre_args_find(size_t count, const acre_arg *arguments, const char *name, size_t length)
{
    for (size_t i = 0; i < count; ++i)
        if (strncmp(arguments[i].name, name, length) == 0 && arguments[i].name[length] == '\0')
            return (int)i;
    return -1;
}

static const acre_lattice *lattice_of(const acre_arg *argument, bool *is_null)
{
    *is_null = false;
    switch (argument->kind) {
    case ACRE_ARG_FIELD:
    case ACRE_ARG_FIELD_CONST:
        *is_null = !argument->value.field;
        return *is_null ? NULL : acre_field_lattice(argument->value.field);
    case ACRE_ARG_FIELDS:
    case ACRE_ARG_FIELDS_CONST:
        *is_null = !argument->value.fields;
        if (*is_null || !acre_fields_count(argument->value.fields))
            return NULL;
        return acre_field_lattice(acre_fields_at(argument->value.fields, 0));
    default:
        *is_null = acre_arg_is_out(argument) && !argument->value.result;
        return NULL;
    }
}

acre_status acre_args_check(acre_context *context, const struct acre_source *source, size_t count,
                            const acre_arg *arguments)
{
    const char *const file = source->file;
    const int line = source->line;
    if (count && !arguments)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: %zu arguments announced, none given", file, line, count);
    for (size_t i = 0; i < count; ++i) {
        const acre_arg *a = &arguments[i];
        if (a->kind <= ACRE_ARG_NONE || a->kind > ACRE_ARG_OUT_COMPLEX)
            return acre_fail(ACRE_ERR_ARGUMENT,
                             "%s:%d: argument %zu is not one made by acre_arg_… or acre_out_…", file, line,
                             i + 1);
        if (!acre_name_is_identifier(a->name))
            return acre_fail(
                ACRE_ERR_ARGUMENT,
                "%s:%d: argument %zu: \"%.60s\" is no identifier; name the expression with ACRE_AS", file, line,
                i + 1, a->name ? a->name : "(null)");
        if (acre_name_is_reserved(a->name))
            return acre_fail(
                ACRE_ERR_ARGUMENT,
                "%s:%d: argument %zu: \"%s\" is a word of the formula language%s: give another name, "
                "as by ACRE_AS(\"%s_\", %s)",
                file, line, i + 1, a->name, strcmp(a->name, "i") == 0 ? ", the imaginary unit" : "", a->name,
                a->name);
        if (acre_args_find(i, arguments, a->name, strlen(a->name)) >= 0)
            return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: argument \"%.60s\" is given twice", file, line,
                             a->name);
        bool is_null;
        const acre_lattice *lattice = lattice_of(a, &is_null);
        if (is_null)
            return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: argument \"%.60s\" is NULL", file, line, a->name);
        if (lattice && acre_lattice_context(lattice) != context)
            return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: argument \"%.60s\" belongs to another context", file,
                             line, a->name);
    }
    return ACRE_OK;
}
