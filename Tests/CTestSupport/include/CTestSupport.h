// SPDX-License-Identifier: Apache-2.0

#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stddef.h>

/// The program to start, and its files. A descriptor of -1 is /dev/null.
struct livery_spawn_request {
    /// The path of the program, and its arguments and environment, each ended by NULL.
    const char *path;
    char *const *arguments;
    char *const *environment;
    /// Where the program runs, or NULL for the folder of this process.
    const char *directory;
    /// The path of the terminal that becomes standard input, output and error and controls the program, which then
    /// leads a new session; or NULL for none.
    const char *terminal;
    /// The size of the terminal.
    unsigned short columns, rows;
    /// Replaces standard output and error, of the terminal too.
    int output, error;
};

/// Starts a program with default signal handling and no descriptors beyond the three.
///
/// Returns 0 and the id of the process (a `pid_t`), or the error number of whatever failed, up to and including exec.
int livery_spawn(const struct livery_spawn_request *request, int *identifier);

/// Opens the controlling side of a new pseudo-terminal, closed on exec, and writes the path of the other side.
///
/// Returns the descriptor, or -1 with errno set.
int livery_open_terminal(char *path, size_t capacity);

/// Gives a terminal another size. Returns 0, or -1 with errno set.
int livery_set_terminal_size(int terminal, unsigned short columns, unsigned short rows);

/// Raises this process's limit of open files to a number, or as far as the system lets it, and returns what it is then.
long livery_raise_file_limit(long wanted);

/// Makes a pipe whose ends are closed on exec. Returns 0, or -1 with errno set.
int livery_pipe(int ends[2]);

#endif
