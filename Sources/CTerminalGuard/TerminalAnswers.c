// SPDX-License-Identifier: Apache-2.0

#include "CTerminalGuard.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

// The longest silence of a terminal that answers at all, over a line with a latency of a second on a busy machine.
#define LONGEST_SILENCE 2000
// Typed keys reset the timeout, but must not delay the program forever.
#define LONGEST_WAIT 5000

// Atomic, since a crash of another thread reads the rest of the answers.
static atomic_bool is_asked = 0;
static atomic_int outstanding = 0;
static atomic_llong asked_at = 0;
static atomic_llong last_news = 0;

// How much of `ESC [ ? digits and semicolons c` has been read.
enum { GROUND, ESCAPE, BRACKET, PARAMETERS };
static atomic_int progress = GROUND;

static long long milliseconds(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void follow(unsigned char byte) {
    if (byte == 0x1B) {
        progress = ESCAPE;
    } else if (progress == ESCAPE && byte == '[') {
        progress = BRACKET;
    } else if (progress == BRACKET && byte == '?') {
        progress = PARAMETERS;
    } else if (progress != PARAMETERS || !((byte >= '0' && byte <= '9') || byte == ';')) {
        if (progress == PARAMETERS && byte == 'c' && outstanding > 0) outstanding--;
        progress = GROUND;
    }
}

void lvy_answers_expect(void) {
    is_asked = 1;
    outstanding++;
    asked_at = last_news = milliseconds();
}

int lvy_answers_are_due(void) { return outstanding > 0 && milliseconds() - asked_at < LONGEST_SILENCE; }

void lvy_answers_forget(void) {
    outstanding = 0;
    progress = GROUND;
}

ssize_t lvy_answers_read(int terminal, void *buffer, size_t count) {
    ssize_t received = read(terminal, buffer, count);
    if (received > 0) last_news = milliseconds();
    for (ssize_t i = 0; i < received; i++) follow(((unsigned char *)buffer)[i]);
    return received;
}

static int is_gone(ssize_t received) { return received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR); }

int lvy_answers_finish(int terminal) {
    if (!is_asked) return 1;
    // Silence counts from the query that follows: nothing may have been due before, or the line was stopped.
    long long start = last_news = milliseconds();
    int is_complete = 1;
    if (write(terminal, "\033[c", 3) == 3) outstanding++;
    while (is_complete && outstanding > 0) {
        long long limit = last_news + LONGEST_SILENCE, end = start + LONGEST_WAIT;
        long long left = (limit < end ? limit : end) - milliseconds();
        // Another thread may read what this one waits for.
        struct pollfd ready = {.fd = terminal, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, left < 50 ? (int)left : 50) : 0;
        // Byte by byte: what was typed after the last answer is the next program's.
        char byte;
        if (count > 0 && is_gone(lvy_answers_read(terminal, &byte, 1))) is_complete = 0;
        if (left <= 0 || (count < 0 && errno != EINTR)) is_complete = 0;
    }
    lvy_answers_forget();
    is_asked = is_complete;
    return is_complete;
}
