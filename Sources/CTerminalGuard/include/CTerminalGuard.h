// SPDX-License-Identifier: Apache-2.0

// Restores a terminal to its former state, even from inside a signal handler.
//
// Everything that a handler does here is async-signal-safe (see signal-safety(7)): write, tcsetattr, pread, sigaction,
// raise, on memory that was filled in before.
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

// Opens the pipe that delivers INT, TERM, HUP, TSTP, TTIN, TTOU, CONT and WINCH to the program, one byte with the number
// for each. Only TSTP is delivered from now on: call it before curses starts. Returns the reading end, or -1, see errno. Call
// once.
int lvy_guard_open(void);

// Installs the handlers, which cannot fail. A second INT, TERM or HUP before the program has ended, any crash, and every
// other signal that ends a program by default restore the terminal at once and end the program by that signal. Signals that
// were ignored before stay ignored.
void lvy_guard_install(void);

// Instead, for a program that only prompts for input: every signal that ends a program restores the terminal at once, if
// armed, and ends the program.
void lvy_guard_install_for_question(void);

// Closes the pipe if the handlers were not installed, and gives TSTP its default action.
void lvy_guard_close(void);

// Gives this thread a second stack for handlers, since a stack that has overflowed cannot run one. The main queue may
// move between threads, so call it whenever work starts; it costs one system call. For one thread at a time.
void lvy_guard_protect_stack(void);

// From now on, a crash restores this terminal, if the process is in its foreground: it writes the bytes, reads the
// answers on the way, then sets the attributes, and the flags of the open file unless they are -1. Then it copies what `held_errors` (a file descriptor, or -1) holds to
// `errors`, so that a last message appears on the restored screen. At most 4,096 bytes are kept. Does nothing once a crash
// has restored the terminal.
void lvy_guard_arm(int terminal, int flags, const struct termios *attributes, const char *bytes, size_t count,
                   int held_errors, int errors);

// The terminal is restored, or belongs to another program: a crash does not touch it. Waits for the end of a restore.
void lvy_guard_disarm(void);

// Restores the terminal if armed, and disarms. Called again before that has ended, on another thread, it waits for the end.
void lvy_guard_restore(void);

// Notes the process group of a program, a child, that has the terminal from now on; 0 once it has ended.
void lvy_guard_lend(pid_t group);

// Ends that program, which no shell would continue, and takes the terminal back, for the end of this process. A signal that
// ends the process does the same.
void lvy_guard_recall(void);

// Whether the terminal was restored for the end of the process: nothing must be drawn on it any more.
int lvy_guard_has_restored(void);

// Whether the process may use a terminal: it is in the foreground group, or no shell divides the terminal among groups.
int lvy_guard_is_foreground(int terminal);

// Ends or stops this process by a signal's default action, so that the parent sees the true status.
// Returns only from signals that stop, once the process goes on.
void lvy_guard_reraise(int signal);

// A stream that keeps in memory what is written to it, with a file descriptor that can be read and duplicated. NULL on
// failure, see errno.
FILE *lvy_open_memory_stream(void);

// What a terminal is asked, it answers in order, and every terminal that answers at all answers the query for its
// attributes (DA1, `ESC [ c`). So that query ends each group of questions: with its answer, all answers are there.
// Answers that come later would be typed into the shell.

//
// A terminal that has not answered within 2 s, without a byte of an answer, is silent from then on.

// Begins with a terminal that was asked nothing.
void lvy_answers_begin(void);

// Whether the terminal is not silent. Others must be asked nothing more.
int lvy_answers_may_be_asked(void);

// Notes that a group of questions waits to be sent.
void lvy_answers_expect(void);

// Notes that all groups were sent: the time for their answers begins.
void lvy_answers_sent(void);

// Whether answers are on the way, as far as that can be known: whether some are missing, and the time for them is not over.
int lvy_answers_are_due(void);

// Notes that the answers on the way go to another program, which has the terminal now.
void lvy_answers_forget(void);

// Reads from the terminal as read(2) does, and follows the answers.
ssize_t lvy_answers_read(int terminal, void *buffer, size_t count);

// Sends a last query if the terminal was asked anything and is not silent, and reads and drops everything up to its answer,
// until no answer can arrive any more, and for 5 s at most. What has been typed after that answer is left for the next
// reader. Returns 0 if the terminal has disconnected or is silent; there is no further wait.
int lvy_answers_finish(int terminal);
