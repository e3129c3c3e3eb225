/* tests/capture.h: what goes to stderr meanwhile, as text. */
#ifndef ACRE_TESTS_CAPTURE_H
#define ACRE_TESTS_CAPTURE_H

void capture_begin(void);
/* The text since capture_begin, to be freed. */
char *capture_end(void);

#endif
