// Gives a terminal back in the state it was found in, from inside a signal handler if it must be.
//
// Everything a handler does here is async-signal-safe (see signal-safety(7)): write, tcsetattr, pread, sigaction,
// raise, on memory that was filled in before.
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <termios.h>

// Makes the pipe that tells the program of signals, the signal's number a byte each: INT, TERM, HUP, TSTP, CONT, WINCH.
// Nothing else changes yet. Returns the reading end, or -1, see errno. Call once.
int lvy_guard_open(void);

// Takes the signals over, which cannot fail. A second INT, TERM or HUP before the program has ended, and any fault,
// restore the terminal at once and end the program by that signal. What was ignored before stays so.
void lvy_guard_install(void);

// Takes the pipe back, where the signals have not been taken over.
void lvy_guard_close(void);

// Gives this thread a second stack for handlers, as a stack that has overflowed cannot run one. The main queue may move
// between threads, so call it anew when work begins; it costs one system call. For one thread at a time.
void lvy_guard_protect_stack(void);

// From now on a fault restores this terminal: it gets the bytes, then the attributes. What `held_errors`
// (a file descriptor, or -1) holds is then copied to `errors`, so that a last message is read on the restored screen.
// The bytes are copied, at most 4,096.
void lvy_guard_arm(int terminal, const struct termios *attributes, const char *bytes, size_t count, int held_errors,
                   int errors);

// The terminal is restored, or belongs to someone else: a fault leaves it alone.
void lvy_guard_disarm(void);

// Restores the terminal if armed, and disarms.
void lvy_guard_restore(void);

// Ends or stops this process by a signal's default action, so that the parent sees the true status.
// Returns only from signals that stop, once the process goes on.
void lvy_guard_reraise(int signal);

// A stream that keeps in memory what is written to it, with a file descriptor that can be read and duplicated. NULL on
// failure, see errno.
FILE *lvy_open_memory_stream(void);
