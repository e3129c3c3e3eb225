/* core/program/language.h: the words of the formula language, in one table each: the parser, the checks and
 * docs/language.md come from here. */
#ifndef ACRE_CORE_PROGRAM_LANGUAGE_H
#define ACRE_CORE_PROGRAM_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Functions: suffix, name, fewest and most arguments, how it is written, what it gives. */
#define ACRE_FUNCTION_TABLE(X)                                                                                 \
    X(ADJ, "adj", 1, 1, "adj(a)", "hermitian conjugate of a matrix, complex conjugate of a number")            \
    X(TRACE, "trace", 1, 1, "trace(a)", "trace over spin and colour")                                          \
    X(REAL, "real", 1, 1, "real(a)", "real part of every component")                                           \
    X(IMAG, "imag", 1, 1, "imag(a)", "imaginary part of every component")                                      \
    X(SQRT, "sqrt", 1, 1, "sqrt(a)", "square root of a real number, correctly rounded")                        \
    X(REUNIT, "reunit", 1, 1, "reunit(u)", "colour matrix brought back to SU(Nc)")                             \
    X(RANDOM, "random", 1, 1, "random(a)", "uniform numbers in (0, 1) of a's type; a is not read")             \
    X(SHIFT, "shift", 3, 3, "shift(a, n, mu)", "a(x + n mu), periodic; n and mu are integers")                 \
    X(SUM, "sum", 1, 2, "sum(a), sum(a, even)", "sum over sites")                                              \
    X(NORM2, "norm2", 1, 2, "norm2(a), norm2(a, even)", "sum over sites of |a|^2")                             \
    X(INNER_PRODUCT, "innerProduct", 2, 3, "innerProduct(a, b), innerProduct(a, b, even)",                     \
      "sum over sites of a^+ b")

/* Words: suffix, name, what it is. */
#define ACRE_WORD_TABLE(X)                                                                                     \
    X(ALL, "all", "every site")                                                                                \
    X(EVEN, "even", "the sites whose coordinates have an even sum")                                            \
    X(ODD, "odd", "the sites whose coordinates have an odd sum")                                               \
    X(ZERO, "zero", "zero of any type, alone on the right of an assignment")                                   \
    X(I, "i", "the imaginary unit")                                                                            \
    X(PI, "pi", "3.141592653589793")                                                                           \
    X(FORWARD, "FORWARD", "+1, for shift")                                                                     \
    X(BACKWARD, "BACKWARD", "-1, for shift")

enum acre_function {
#define ACRE_FUNCTION_ENUM(suffix, name, fewest, most, usage, meaning) ACRE_FUNCTION_##suffix,
    ACRE_FUNCTION_TABLE(ACRE_FUNCTION_ENUM)
#undef ACRE_FUNCTION_ENUM
        ACRE_FUNCTION_COUNT
};

enum acre_word_of_language {
#define ACRE_WORD_ENUM(suffix, name, meaning) ACRE_WORD_##suffix,
    ACRE_WORD_TABLE(ACRE_WORD_ENUM)
#undef ACRE_WORD_ENUM
        ACRE_WORD_COUNT
};

struct acre_function_row {
    const char *name;
    int fewest, most;
    const char *usage, *meaning;
};
struct acre_word_row {
    const char *name, *meaning;
};

extern const struct acre_function_row acre_function_rows[ACRE_FUNCTION_COUNT];
extern const struct acre_word_row acre_word_rows[ACRE_WORD_COUNT];

/* The function or word of this name, or -1. */
int acre_function_find(const char *name, size_t length);
int acre_word_find(const char *name, size_t length);

/* Letters, digits and underscores, no digit first; not a function or word. */
bool acre_name_is_identifier(const char *name);
bool acre_name_is_reserved(const char *name);

#endif
