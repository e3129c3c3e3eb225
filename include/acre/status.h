/* acre/status.h: status codes and the message that goes with the latest failure. */
#ifndef ACRE_STATUS_H
#define ACRE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ACRE_API                 __attribute__((visibility("default")))
#define ACRE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ACRE_API
#define ACRE_PRINTF(text, first)
#endif

/* Every status: name, number, what it means. Numbers never change between versions. */
#define ACRE_STATUS_TABLE(X)                                                                                   \
    X(ACRE_OK, 0, "success")                                                                                   \
    X(ACRE_ERR_ARGUMENT, 1, "invalid argument")                                                                \
    X(ACRE_ERR_OUT_OF_MEMORY, 2, "out of memory")                                                              \
    X(ACRE_ERR_UNDEFINED, 3, "data was never written")                                                         \
    X(ACRE_ERR_LOST, 4, "data was lost by a failed operation")                                                 \
    X(ACRE_ERR_CONFLICT, 5, "conflicting access")                                                              \
    X(ACRE_ERR_FORMULA, 6, "error in a formula")                                                               \
    X(ACRE_ERR_TYPE, 7, "types, shapes or formats that do not go together")                                    \
    X(ACRE_ERR_FILE, 8, "file can't be read or written")                                                       \
    X(ACRE_ERR_FILE_FORMAT, 9, "file contents are not what the format demands")                                \
    X(ACRE_ERR_BACKEND, 10, "backend or device can't serve")                                                   \
    X(ACRE_ERR_ENVIRONMENT, 11, "malformed environment variable")                                              \
    X(ACRE_ERR_OVERFLOW, 12, "size or value too large")

typedef enum acre_status {
#define ACRE_STATUS_ENUM(name, number, text) name = number,
    ACRE_STATUS_TABLE(ACRE_STATUS_ENUM)
#undef ACRE_STATUS_ENUM
} acre_status;

/* The status's own name, "ACRE_ERR_TYPE"; "ACRE_?" for a number that is none. Never NULL. */
ACRE_API const char *acre_status_name(acre_status status);

/* What the status means in general, in a few words. Never NULL. */
ACRE_API const char *acre_status_text(acre_status status);

/* The message of the latest failed call of this thread: names, types, sizes, devices.
 * The string belongs to the library and holds until this thread's next failure. "" before the first. */
ACRE_API const char *acre_message(void);

/* The library's version, "0.1.0". */
ACRE_API const char *acre_version(void);

#ifdef __cplusplus
}
#endif
#endif
