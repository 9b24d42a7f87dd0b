// SPDX-License-Identifier: Apache-2.0

#include "CCurl.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// zlib's own header is not on every machine that builds the client, its library is wherever libcurl is. The struct and the
// numbers are part of its binary interface, and the same since version 1.2.
struct zlib_stream {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

enum { ZLIB_OK = 0, ZLIB_STREAM_END = 1, ZLIB_BUFFER_ERROR = -5, ZLIB_NO_FLUSH = 0 };
// A window of 15 bits: 32 more for a header of gzip or zlib, and negative for none.
enum { ZLIB_WINDOW_DETECTED = 15 + 32, ZLIB_WINDOW_RAW = -15 };

static struct {
    int (*init)(struct zlib_stream *stream, int window, const char *version, int size);
    int (*inflate)(struct zlib_stream *stream, int flush);
    int (*reset)(struct zlib_stream *stream);
    int (*end)(struct zlib_stream *stream);
} zlib;

static int is_loaded;

#ifdef __APPLE__
static const char *const name = "libz.1.dylib";
#else
static const char *const name = "libz.so.1";
#endif

static void load(void) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        return;
    }
    zlib.init = dlsym(library, "inflateInit2_");
    zlib.inflate = dlsym(library, "inflate");
    zlib.reset = dlsym(library, "inflateReset");
    zlib.end = dlsym(library, "inflateEnd");
    is_loaded = zlib.init != NULL && zlib.inflate != NULL && zlib.reset != NULL && zlib.end != NULL;
}

int livery_inflate_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

void *livery_inflate_new(int is_raw) {
    int window = is_raw ? ZLIB_WINDOW_RAW : ZLIB_WINDOW_DETECTED;
    struct zlib_stream *stream = livery_inflate_load() ? calloc(1, sizeof *stream) : NULL;
    if (stream != NULL && zlib.init(stream, window, "1.2.0", (int)sizeof *stream) != ZLIB_OK) {
        free(stream);
        stream = NULL;
    }
    return stream;
}

void livery_inflate_free(void *inflater) {
    zlib.end(inflater);
    free(inflater);
}

int livery_inflate(void *inflater, const void *input, size_t *consumed, void *output, size_t *written) {
    struct zlib_stream *stream = inflater;
    size_t count = *consumed < UINT_MAX ? *consumed : UINT_MAX;
    size_t room = *written < UINT_MAX ? *written : UINT_MAX;
    stream->next_in = input;
    stream->avail_in = (unsigned)count;
    stream->next_out = output;
    stream->avail_out = (unsigned)room;
    int code = zlib.inflate(stream, ZLIB_NO_FLUSH);
    *consumed = count - stream->avail_in;
    *written = room - stream->avail_out;
    if (code == ZLIB_STREAM_END) {
        return zlib.reset(stream) == ZLIB_OK ? 1 : -1;
    }
    return code == ZLIB_OK || code == ZLIB_BUFFER_ERROR ? 0 : -1;
}
