/* tests/capture.c: stderr led into a temporary file and back. */
#include "capture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *file;
static int saved = -1;

void capture_begin(void)
{
    fflush(stderr);
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    saved = dup(STDERR_FILENO);
    ck_assert_int_ge(saved, 0);
    ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
}

char *capture_end(void)
{
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    ck_assert_int_ge(size, 0);
    char *text = calloc(1, (size_t)size + 1);
    ck_assert_ptr_nonnull(text);
    rewind(file);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}
