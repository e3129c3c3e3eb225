/* io/xml.c: a tolerant finder of XML elements. */
#include "io/xml.h"

#include <string.h>

/* The index of `c` from `from` on; text.size when there is none. */
static size_t find_char(struct acre_text text, size_t from, char c)
{
    const char *at = from < text.size ? memchr(text.data + from, c, text.size - from) : NULL;
    return at ? (size_t)(at - text.data) : text.size;
}

/* The index behind a comment that begins at `from`; `from` when there is none. */
static size_t skip_comment(struct acre_text text, size_t from)
{
    struct acre_text rest = {text.data + from, text.size - from};
    if (!acre_text_starts(rest, "<!--"))
        return from;
    for (size_t end = find_char(text, from + 4, '>'); end < text.size; end = find_char(text, end + 1, '>'))
        if (end >= from + 6 && text.data[end - 1] == '-' && text.data[end - 2] == '-')
            return end + 1;
    return text.size;
}

/* Longer names are none that anybody looks for; without a bound, junk costs its square. */
enum { NAME_BYTES = 128 };

/* The name in the tag that begins at `from`, without its namespace prefix. */
static struct acre_text tag_name(struct acre_text text, size_t from)
{
    size_t end = from + 1;
    while (end < text.size && end - from <= NAME_BYTES && !strchr(" \t\r\n/<>", text.data[end]))
        ++end;
    struct acre_text name = {text.data + from + 1, end - from - 1};
    const char *colon = memchr(name.data, ':', name.size);
    if (colon) {
        name.size -= (size_t)(colon + 1 - name.data);
        name.data = colon + 1;
    }
    return name;
}

bool acre_xml_find(struct acre_text xml, const char *tag, struct acre_text *value)
{
    for (size_t at = find_char(xml, 0, '<'); at < xml.size; at = find_char(xml, at, '<')) {
        size_t behind = skip_comment(xml, at);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (acre_text_equal(tag_name(xml, at), tag)) {
            size_t begin = find_char(xml, at, '>') + 1;
            if (begin > xml.size)
                return false;
            size_t end = find_char(xml, begin, '<');
            *value = acre_text_trim((struct acre_text){xml.data + begin, end - begin});
            return true;
        }
        ++at;
    }
    return false;
}
