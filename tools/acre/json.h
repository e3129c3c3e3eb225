/* tools/acre/json.h: a writer of JSON on one line. Commas come by themselves. */
#ifndef ACRE_TOOLS_JSON_H
#define ACRE_TOOLS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct acre_json {
    FILE *out;
    bool needs_comma;
};

/* Every value may have a key, for use inside an object; NULL inside an array and at the top. */
void acre_json_open(struct acre_json *json, const char *key, char bracket);
void acre_json_close(struct acre_json *json, char bracket);
/* Text that is not valid UTF-8 gets U+FFFD for each byte that does not fit; NULL is written as null. */
void acre_json_text(struct acre_json *json, const char *key, const char *text);
/* 17 digits, which give the same double back; null when not finite. */
void acre_json_number(struct acre_json *json, const char *key, double number);
void acre_json_integer(struct acre_json *json, const char *key, int64_t number);
void acre_json_whole(struct acre_json *json, const char *key, uint64_t number);
void acre_json_flag(struct acre_json *json, const char *key, bool flag);
/* End the line. */
void acre_json_end(struct acre_json *json);

#endif
