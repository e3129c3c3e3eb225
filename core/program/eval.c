/* core/program/eval.c: acre_eval_args: a formula from its text to its results. */
#include <string.h>

#include "core/base/fail.h"
#include "core/program/check.h"
#include "core/program/lower.h"
#include "core/program/plan.h"
#include "core/program/run.h"

static acre_status compile(struct acre_program *program, const struct acre_source *source, size_t count,
                           const acre_arg *arguments)
{
    struct acre_statement *first;
    struct acre_check_scope scope = {.source = source, .count = count, .arguments = arguments};
    scope.assigned = acre_arena_take(&program->arena, (count + 1) * sizeof *scope.assigned);
    if (!scope.assigned)
        return ACRE_ERR_OUT_OF_MEMORY;
    ACRE_TRY(acre_parse(source, &program->arena, &first));
    ACRE_TRY(acre_check_statements(&scope, first));
    return acre_lower(program, first, count, arguments);
}

acre_status acre_eval_args(acre_context *context, const char *text, size_t count, const acre_arg *arguments,
                           const char *file, int line)
{
    struct acre_source source = {.text = text, .file = file ? file : "?", .line = line};
    struct acre_program program = {.context = context};
    struct acre_plans plans;
    if (!context || !text)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: the %s is NULL", source.file, line,
                         context ? "formula" : "context");
    source.length = strlen(text);
    ACRE_TRY(acre_args_check(context, &source, count, arguments));
    acre_status status = compile(&program, &source, count, arguments);
    if (!status)
        status = acre_plans_make(&program, &plans);
    if (!status) {
        status = acre_program_run(&program, &plans, &source, arguments);
        acre_plans_free(&plans);
    }
    acre_program_free(&program);
    return status;
}
