/* core/device/rank.c: the local rank from the environment that launchers of parallel programs leave. */
#include "core/device/rank.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>

static const struct {
    const char *rank, *size;
    bool means_several; /* the rank is there only in launched processes, so that it counts without a size */
} launchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", true}, /* Open MPI */
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", true},                       /* MPICH, Intel MPI */
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE", true},   /* MVAPICH */
    {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE", true},                     /* Cray PALS */
    {"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE", true},                         /* Cray MPICH */
    {"JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE", true},     /* IBM jsrun */
    /* Slurm gives batch scripts, too, a rank of 0, but the tasks of the step only to what srun starts. */
    {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", false},
};

static bool read_whole(const char *text, uint64_t *value)
{
    *value = 0;
    for (const char *c = text; *c; ++c)
        if (!isdigit((unsigned char)*c) || __builtin_mul_overflow(*value, 10u, value) ||
            __builtin_add_overflow(*value, (unsigned)(*c - '0'), value))
            return false;
    return text[0] != 0;
}

/* The largest number in the text that is no repetition count: Slurm writes "4(x2),3" for nodes of 4, 4 and 3.
 */
static uint64_t largest_in(const char *text)
{
    uint64_t largest = 0;
    for (const char *c = text; *c;) {
        if (!isdigit((unsigned char)*c)) {
            ++c;
            continue;
        }
        const bool counts = c == text || c[-1] != 'x';
        char *end;
        const uint64_t number = strtoull(c, &end, 10);
        if (counts && number > largest)
            largest = number;
        c = end;
    }
    return largest;
}

bool acre_rank_find(struct acre_rank *rank)
{
    for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); ++i) {
        const char *text = getenv(launchers[i].rank), *size = getenv(launchers[i].size);
        uint64_t local;
        if (!text || !read_whole(text, &local))
            continue;
        const bool several = local > 0 || (size ? largest_in(size) > 1 : launchers[i].means_several);
        if (!several)
            continue;
        *rank = (struct acre_rank){.rank = local, .variable = launchers[i].rank};
        return true;
    }
    return false;
}
