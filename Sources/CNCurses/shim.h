// SPDX-License-Identifier: Apache-2.0

// ncursesw as Swift can use it: globals, macros and variadic functions of curses, which Swift cannot import or must not
// touch.
#pragma once

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

static inline WINDOW *lvy_stdscr(void) { return stdscr; }
static inline WINDOW *lvy_curscr(void) { return curscr; }
static inline int lvy_color_pairs(void) { return COLOR_PAIRS; }
static inline attr_t lvy_bold(void) { return A_BOLD; }
static inline attr_t lvy_underline(void) { return A_UNDERLINE; }
static inline attr_t lvy_reverse(void) { return A_REVERSE; }

// Loads a terminal's entry to look into; 0 if the database has none of this name. Not while curses runs.
static inline int lvy_terminfo_load(const char *terminal) {
    int status = 0;
    return setupterm((char *)terminal, STDOUT_FILENO, &status) == OK;
}

static inline void lvy_terminfo_unload(void) {
    if (cur_term != NULL) del_curterm(cur_term);
}

// The capabilities of the entry that is loaded, or that curses runs by: NULL, 0 or a negative number where the terminal
// has no such capability.
static inline const char *lvy_terminfo_string(const char *name) {
    const char *value = tigetstr((char *)name);
    return value == (const char *)-1 ? NULL : value;
}
static inline int lvy_terminfo_flag(const char *name) { return tigetflag((char *)name) > 0; }
static inline int lvy_terminfo_number(const char *name) { return tigetnum((char *)name); }

// The names of the capabilities in the order of the compiled form; NULL after the last. The tables go on with names of
// termcap, which are not compiled.
static inline const char *lvy_terminfo_flag_name(int index) { return index < BOOLWRITE ? boolnames[index] : NULL; }
static inline const char *lvy_terminfo_number_name(int index) { return index < NUMWRITE ? numnames[index] : NULL; }
static inline const char *lvy_terminfo_string_name(int index) { return index < STRWRITE ? strnames[index] : NULL; }

// The sequences that set a colour or move the cursor, once curses runs; NULL where there is none. Each is valid until
// the next call. Capabilities by their macros: by their names, all would be compared with each name.
static inline const char *lvy_sequence(const char *format, long first, long second) {
    return format == NULL ? NULL : tparm(format, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}
static inline const char *lvy_foreground_sequence(int color) { return lvy_sequence(set_a_foreground, color, 0); }
static inline const char *lvy_background_sequence(int color) { return lvy_sequence(set_a_background, color, 0); }
static inline const char *lvy_place_sequence(int row, int column) { return lvy_sequence(cursor_address, row, column); }
// Whether what is erased gets the present background.
static inline int lvy_erases_in_color(void) { return back_color_erase > 0; }

// Makes the cell of one cluster of at most CCHARW_MAX code points; 0 if curses cannot store it. The attributes contain no
// colour; the pair does.
static inline int lvy_make_cell(cchar_t *cell, const wchar_t *cluster, attr_t attributes, int pair) {
    return setcchar(cell, cluster, attributes, 0, &pair) == OK;
}

// Fills a row with the blank of lvy_set_background.
static inline void lvy_erase_row(int row) {
    if (wmove(stdscr, row, 0) == OK) wclrtoeol(stdscr);
}

// Puts cells into a row; what does not fit is left out.
static inline void lvy_put(int row, int column, const cchar_t *cells, int count) {
    if (count > 0) mvwadd_wchnstr(stdscr, row, column, cells, count);
}

// Sets the blank that curses assumes when it clears by the terminal's own background (bce).
static inline void lvy_set_background(attr_t attributes, int pair) {
    cchar_t cell;
    if (setcchar(&cell, L" ", attributes, 0, &pair) == OK) wbkgrndset(stdscr, &cell);
}

// Makes curses assume that the whole screen is blank with this background and must stay so, as after a clear that it did
// not send. Rows that stay blank are not compared.
static inline void lvy_assume_cleared(int pair) {
    cchar_t cell;
    if (setcchar(&cell, L" ", 0, 0, &pair) != OK) return;
    WINDOW *windows[] = {curscr, newscr, stdscr};
    for (int index = 0; index < 3; index++) {
        wbkgrndset(windows[index], &cell);
        werase(windows[index]);
        untouchwin(windows[index]);
    }
}

// Whether the characters of the locale are UTF-8, after setlocale(LC_CTYPE, "").
static inline int lvy_locale_is_utf8(void) {
    const char *codeset = nl_langinfo(CODESET);
    return codeset != NULL && (codeset[0] == 'U' || codeset[0] == 'u');
}

// <wchar.h> declares it only for X/Open.
int wcwidth(wchar_t character);

// The columns that curses counts for a code point, -1 if it knows none.
static inline int lvy_wcwidth(wchar_t character) { return wcwidth(character); }
