// SPDX-License-Identifier: Apache-2.0

#include "CTerminalGuard.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

// A terminal that has not answered for so long is silent, over a line with a latency of a second on a busy machine.
#define LONGEST_SILENCE 2000
// Bytes that arrive reset the timeout, but must not delay the program forever.
#define LONGEST_WAIT 5000

// Atomic, since a crash of another thread reads the rest of the answers.
static atomic_bool is_asked = 0;
static atomic_bool is_silent = 0;
static atomic_int outstanding = 0;
// Whether the last group still waits to be written, as to a terminal that is stopped.
static atomic_bool is_unsent = 0;
// When the last group was sent, or a byte of an answer came, whichever is later.
static atomic_llong last_news = 0;

// How much of `ESC [ ? digits and semicolons c`, which ends a group, has been read. A string (OSC, DCS) is part of an answer.
enum { GROUND, ESCAPE, BRACKET, PARAMETERS, STRING };
static atomic_int progress = GROUND;

static long long milliseconds(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note_silence(void) {
    if (outstanding > 0 && !lvy_answers_are_due()) is_silent = 1;
}

// Only bytes of answers are news: keys come from a silent terminal too.
static void follow(unsigned char byte) {
    int state = progress;
    if (byte == 0x1B) {
        progress = ESCAPE;
    } else if (state == ESCAPE && byte == '[') {
        progress = BRACKET;
    } else if (state == ESCAPE && (byte == ']' || byte == 'P')) {
        progress = STRING;
    } else if (state == BRACKET && byte == '?') {
        progress = PARAMETERS;
    } else if (state == STRING ? byte == 0x07 : state != PARAMETERS || !((byte >= '0' && byte <= '9') || byte == ';')) {
        progress = GROUND;
    }
    if (state != PARAMETERS && state != STRING && progress != PARAMETERS && progress != STRING) return;
    note_silence();
    last_news = milliseconds();
    if (state == PARAMETERS && byte == 'c' && outstanding > 0) outstanding--;
}

void lvy_answers_begin(void) {
    is_asked = is_silent = 0;
    lvy_answers_forget();
}

int lvy_answers_may_be_asked(void) {
    note_silence();
    return !is_silent;
}

void lvy_answers_expect(void) {
    is_asked = is_unsent = 1;
    outstanding++;
}

void lvy_answers_sent(void) {
    if (atomic_exchange(&is_unsent, 0)) last_news = milliseconds();
}

int lvy_answers_are_due(void) {
    return outstanding > 0 && (is_unsent || milliseconds() - last_news < LONGEST_SILENCE);
}

void lvy_answers_forget(void) {
    outstanding = 0;
    is_unsent = 0;
    progress = GROUND;
}

ssize_t lvy_answers_read(int terminal, void *buffer, size_t count) {
    ssize_t received = read(terminal, buffer, count);
    for (ssize_t i = 0; i < received; i++) follow(((unsigned char *)buffer)[i]);
    return received;
}

static int is_gone(ssize_t received) { return received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR); }

int lvy_answers_finish(int terminal) {
    if (!is_asked) return 1;
    lvy_answers_sent();
    long long start = milliseconds();
    if (lvy_answers_may_be_asked() && write(terminal, "\033[c", 3) == 3 && outstanding++ == 0) last_news = start;
    while (outstanding > 0) {
        long long now = milliseconds(), rest = last_news + LONGEST_SILENCE - now;
        long long left = rest > 0 ? rest : 0;
        // Another thread may read what this one waits for.
        struct pollfd ready = {.fd = terminal, .events = POLLIN};
        int count = poll(&ready, 1, left < 50 ? (int)left : 50);
        // Byte by byte: what was typed after the last answer is the next program's.
        char byte;
        int has_ended = count == 0 ? left == 0 : errno != EINTR;
        if (count > 0) has_ended = is_gone(lvy_answers_read(terminal, &byte, 1));
        if (!has_ended && now - start < LONGEST_WAIT) continue;
        is_silent = 1;
        break;
    }
    lvy_answers_forget();
    return !is_silent;
}
