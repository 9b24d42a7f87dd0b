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

int lvy_terminfo_number(const char *name) { return tigetnum((char *)name); }

int lvy_terminfo_load(const char *terminal) {
    int status = 0;
    return setupterm((char *)terminal, STDOUT_FILENO, &status) == OK;
}

void lvy_terminfo_unload(void) {
    if (cur_term != NULL) del_curterm(cur_term);
}

// Behind these the tables go on with names that belong to termcap and are not compiled.
static const char *name_at(NCURSES_CONST char *const names[], int index, int count) {
    return index >= 0 && index < count ? names[index] : NULL;
}

const char *lvy_terminfo_flag_name(int index) { return name_at(boolnames, index, BOOLWRITE); }
const char *lvy_terminfo_number_name(int index) { return name_at(numnames, index, NUMWRITE); }
const char *lvy_terminfo_string_name(int index) { return name_at(strnames, index, STRWRITE); }

static const char *filled_in(const char *name, long first, long second) {
    const char *format = lvy_terminfo_string(name);
    return format == NULL ? NULL : tparm(format, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

const char *lvy_foreground_sequence(int color) { return filled_in("setaf", color, 0); }
const char *lvy_background_sequence(int color) { return filled_in("setab", color, 0); }
const char *lvy_place_sequence(int row, int column) { return filled_in("cup", row, column); }

int lvy_wcwidth(wchar_t character) { return wcwidth(character); }

FILE *lvy_open_memory_stream(void) {
#if defined(__linux__)
    int descriptor = memfd_create("livery-frame", MFD_CLOEXEC);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
#else
    return tmpfile();
#endif
}
