/* core/base/status.c: names and meanings of status codes, and the library's version. */
#include "acre/status.h"

const char *acre_status_name(acre_status status)
{
    switch (status) {
#define NAME(name, number, text)                                                                               \
    case name:                                                                                                 \
        return #name;
        ACRE_STATUS_TABLE(NAME)
#undef NAME
    }
    return "ACRE_?";
}

const char *acre_status_text(acre_status status)
{
    switch (status) {
#define TEXT(name, number, text)                                                                               \
    case name:                                                                                                 \
        return text;
        ACRE_STATUS_TABLE(TEXT)
#undef TEXT
    }
    return "unknown status";
}

const char *acre_version(void)
{
    return ACRE_VERSION;
}
