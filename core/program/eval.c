/* core/program/eval.c: acre_eval_args: a formula from its text to its results. */
#include <stdlib.h>
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

/* What outlives the call while devices are at work on it. */
struct evaluation {
    struct acre_program program;
    struct acre_plans plans;
};

static void free_evaluation(void *argument)
{
    struct evaluation *evaluation = argument;
    acre_plans_free(&evaluation->plans);
    acre_program_free(&evaluation->program);
    free(evaluation);
}

acre_status acre_eval_args(acre_context *context, const char *text, size_t count, const acre_arg *arguments,
                           const char *file, int line)
{
    struct acre_source source = {.text = text, .file = file ? file : "?", .line = line};
    if (!context || !text)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d: the %s is NULL", source.file, line,
                         context ? "formula" : "context");
    ACRE_TRY(acre_context_check(context));
    source.length = strlen(text);
    ACRE_TRY(acre_args_check(context, &source, count, arguments));
    struct evaluation *evaluation = calloc(1, sizeof *evaluation);
    if (!evaluation)
        return acre_fail_memory(sizeof *evaluation);
    evaluation->program.context = context;
    acre_status status = compile(&evaluation->program, &source, count, arguments);
    if (!status)
        status = acre_plans_make(&evaluation->program, &evaluation->plans);
    if (!status)
        return acre_program_run(&evaluation->program, &evaluation->plans, &source, arguments, free_evaluation,
                                evaluation);
    acre_program_free(&evaluation->program);
    free(evaluation);
    return status;
}
