/* core/program/program.c: planning and freeing whole programs. */
#include "core/program/program.h"

#include "core/base/fail.h"
#include "core/program/plan.h"

acre_status acre_program_plan(struct acre_program *program)
{
    const int count = acre_program_pass_count(program);
    program->plans = acre_arena_take(&program->arena, (size_t)count * sizeof *program->plans);
    if (!program->plans)
        return ACRE_ERR_OUT_OF_MEMORY;
    for (int i = 0; i < count; ++i)
        ACRE_TRY(acre_plan_make(program, acre_program_pass(program, i), &program->plans[i]));
    return ACRE_OK;
}

void acre_program_free(struct acre_program *program)
{
    for (int i = 0; i < acre_program_pass_count(program); ++i) {
        struct acre_pass *pass = acre_program_pass(program, i);
        if (program->plans)
            acre_plan_free(&program->plans[i]);
        acre_buffer_free(&pass->ops);
        acre_buffer_free(&pass->displacements);
        acre_buffer_free(&pass->table);
    }
    for (int i = 0; i < acre_program_leaf_count(program); ++i)
        if (acre_program_leaf(program, i)->is_temporary)
            acre_field_destroy(acre_program_leaf(program, i)->field);
    acre_buffer_free(&program->leaves);
    acre_buffer_free(&program->slots);
    acre_buffer_free(&program->passes);
    acre_arena_free(&program->arena);
}
