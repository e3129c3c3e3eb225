/* core/program/program.c: freeing a program. */
#include "core/program/program.h"

void acre_program_free(struct acre_program *program)
{
    for (int i = 0; i < acre_program_pass_count(program); ++i) {
        struct acre_pass *pass = acre_program_pass(program, i);
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
