#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/mman.h>
#endif
#include <wchar.h>

#include "CNCurses.h"

#include <term.h>
#include <unistd.h>

const char *lvy_terminfo_string(const char *name) {
    const char *value = tigetstr((char *)name);
    return value == (const char *)-1 ? NULL : value;
}

int lvy_terminfo_flag(const char *name) { return tigetflag((char *)name) > 0; }

int lvy_wcwidth(wchar_t character) { return wcwidth(character); }

FILE *lvy_open_memory_stream(void) {
#if defined(__linux__)
    int descriptor = memfd_create("livery-frame", MFD_CLOEXEC);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
#else
    return tmpfile();
#endif
}
