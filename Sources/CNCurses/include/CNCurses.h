// ncursesw as Swift can use it, and what has to happen inside a signal handler.
#pragma once

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

#include "terminal_guard.h"

// Globals and macros of curses, which Swift cannot import or may not touch.

static inline WINDOW *lvy_stdscr(void) { return stdscr; }
static inline WINDOW *lvy_curscr(void) { return curscr; }
static inline int lvy_colors(void) { return COLORS; }
static inline int lvy_color_pairs(void) { return COLOR_PAIRS; }
static inline attr_t lvy_bold(void) { return A_BOLD; }
static inline attr_t lvy_dim(void) { return A_DIM; }
static inline attr_t lvy_underline(void) { return A_UNDERLINE; }
static inline attr_t lvy_reverse(void) { return A_REVERSE; }

// The terminal database, once an entry is loaded or curses runs: NULL, 0 or a negative number where the terminal has
// no such capability.
const char *lvy_terminfo_string(const char *name);
int lvy_terminfo_flag(const char *name);
int lvy_terminfo_number(const char *name);

// Loads an entry to look into; 0 if the database has none of this name. Not while curses runs.
int lvy_terminfo_load(const char *terminal);
void lvy_terminfo_unload(void);

// The names of the capabilities in the order of the compiled form; NULL after the last.
const char *lvy_terminfo_flag_name(int index);
const char *lvy_terminfo_number_name(int index);
const char *lvy_terminfo_string_name(int index);

// Whether the characters of the locale are UTF-8, after setlocale(LC_CTYPE, "").
static inline int lvy_locale_is_utf8(void) {
    const char *codeset = nl_langinfo(CODESET);
    return codeset != NULL && (codeset[0] == 'U' || codeset[0] == 'u');
}

// A stream for curses to write into, which keeps what is written in memory. NULL on failure, see errno.
FILE *lvy_open_memory_stream(void);

// Puts one cluster of at most CCHARW_MAX code points at a cell. The attributes hold no colour; the pair does.
static inline void lvy_put(int row, int column, const wchar_t *cluster, attr_t attributes, int pair) {
    cchar_t cell;
    if (setcchar(&cell, cluster, attributes, 0, &pair) == OK) mvwadd_wch(stdscr, row, column, &cell);
}

// Sets what curses takes a blank to be when it clears by the terminal's own background (bce).
static inline void lvy_set_background(attr_t attributes, int pair) {
    cchar_t cell;
    if (setcchar(&cell, L" ", attributes, 0, &pair) == OK) wbkgrndset(stdscr, &cell);
}

// The sequences that set a colour or move the cursor, once curses runs; NULL where there is none. Each is valid until
// the next is asked for.
const char *lvy_foreground_sequence(int color);
const char *lvy_background_sequence(int color);
const char *lvy_place_sequence(int row, int column);

// Makes curses take the screen to be blank all over, with this background, as after a clear that it did not send.
static inline void lvy_assume_cleared(int pair) {
    cchar_t cell;
    if (setcchar(&cell, L" ", 0, 0, &pair) != OK) return;
    wbkgrndset(curscr, &cell);
    werase(curscr);
}

// The columns that curses takes a code point to have, -1 if it knows none.
int lvy_wcwidth(wchar_t character);
