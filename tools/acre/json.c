/* tools/acre/json.c: writing JSON (RFC 8259) as ASCII. */
#include "tools/acre/json.h"

#include <inttypes.h>
#include <math.h>

/* The code point that starts at *text, which moves behind it; 0xFFFD for a byte that starts none (too long
 * forms, surrogates and beyond U+10FFFF count as none). */
static uint32_t next_code_point(const unsigned char **text)
{
    const unsigned char *c = *text;
    ++*text;
    if (c[0] < 0x80)
        return c[0];
    const int more = c[0] >= 0xC2 && c[0] <= 0xDF ? 1 : c[0] >= 0xE0 && c[0] <= 0xEF ? 2 : 3;
    if (c[0] < 0xC2 || c[0] > 0xF4)
        return 0xFFFD;
    uint32_t point = c[0] & (0x3Fu >> more);
    for (int i = 1; i <= more; ++i) {
        if ((c[i] & 0xC0) != 0x80)
            return 0xFFFD;
        point = point << 6 | (c[i] & 0x3Fu);
    }
    if ((more == 2 && point < 0x800) || (more == 3 && (point < 0x10000 || point > 0x10FFFF)) ||
        (point >= 0xD800 && point <= 0xDFFF))
        return 0xFFFD;
    *text = c + 1 + more;
    return point;
}

static void write_text(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    fputc('"', out);
    while (*c) {
        const uint32_t point = next_code_point(&c);
        if (point == '"' || point == '\\')
            fprintf(out, "\\%c", (int)point);
        else if (point >= 0x20 && point < 0x7F)
            fputc((int)point, out);
        else if (point < 0x10000)
            fprintf(out, "\\u%04" PRIx32, point);
        else
            fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 + ((point - 0x10000) >> 10),
                    0xDC00 + ((point - 0x10000) & 0x3FF));
    }
    fputc('"', out);
}

/* The comma before a value, and its key. */
static void lead(struct acre_json *json, const char *key)
{
    if (json->needs_comma)
        fputs(", ", json->out);
    if (key) {
        write_text(json->out, key);
        fputs(": ", json->out);
    }
    json->needs_comma = true;
}

void acre_json_open(struct acre_json *json, const char *key, char bracket)
{
    lead(json, key);
    fputc(bracket, json->out);
    json->needs_comma = false;
}

void acre_json_close(struct acre_json *json, char bracket)
{
    fputc(bracket, json->out);
    json->needs_comma = true;
}

void acre_json_text(struct acre_json *json, const char *key, const char *text)
{
    lead(json, key);
    if (text)
        write_text(json->out, text);
    else
        fputs("null", json->out);
}

void acre_json_number(struct acre_json *json, const char *key, double number)
{
    lead(json, key);
    if (isfinite(number))
        fprintf(json->out, "%.17g", number);
    else
        fputs("null", json->out);
}

void acre_json_integer(struct acre_json *json, const char *key, int64_t number)
{
    lead(json, key);
    fprintf(json->out, "%" PRId64, number);
}

void acre_json_whole(struct acre_json *json, const char *key, uint64_t number)
{
    lead(json, key);
    fprintf(json->out, "%" PRIu64, number);
}

void acre_json_flag(struct acre_json *json, const char *key, bool flag)
{
    lead(json, key);
    fputs(flag ? "true" : "false", json->out);
}

void acre_json_end(struct acre_json *json)
{
    fputc('\n', json->out);
    json->needs_comma = false;
}
