// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Everything from here to livery_spawn runs between vfork and exec, in the memory of the tests: it calls only what is
// async-signal-safe, and leaves nothing behind.

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        if (number != SIGKILL && number != SIGSTOP) {
            signal(number, SIG_DFL);
        }
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Descriptors opened elsewhere without close-on-exec end here; the reporting pipe lives until exec.
static void close_others_on_exec(void) {
#if defined(__linux__) && defined(CLOSE_RANGE_CLOEXEC)
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
        return;
    }
#endif
    int limit = getdtablesize();
    if (limit > 4096) {
        limit = 4096;
    }
    for (int descriptor = 3; descriptor < limit; descriptor++) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
}

static int use_files(const struct livery_spawn_request *request) {
    if (request->terminal != NULL && setsid() == -1) {
        return -1;
    }
    const char *path = request->terminal != NULL ? request->terminal : "/dev/null";
    int file = open(path, O_RDWR | O_NOCTTY);
    if (file == -1) {
        return -1;
    }
    if (request->terminal != NULL) {
        if (ioctl(file, TIOCSCTTY, 0) == -1
            || livery_set_terminal_size(file, request->columns, request->rows) == -1) {
            return -1;
        }
    }
    if (dup2(file, 0) == -1 || dup2(request->output != -1 ? request->output : file, 1) == -1
        || dup2(request->error != -1 ? request->error : file, 2) == -1) {
        return -1;
    }
    return 0;
}

static void become_program(const struct livery_spawn_request *request, int report) {
    reset_signals();
    if (use_files(request) == 0 && (request->directory == NULL || chdir(request->directory) == 0)) {
        close_others_on_exec();
        execve(request->path, request->arguments, request->environment);
    }
    int error = errno;
    // Nothing can be done if even this fails; the exit code reports as much as is known.
    ssize_t written = write(report, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

#if defined(__linux__)
#define livery_fork vfork
#else
#define livery_fork fork
#endif

int livery_spawn(const struct livery_spawn_request *request, int *identifier) {
    int report[2];
    if (livery_pipe(report) == -1) {
        return errno;
    }
    // No handler of this process may run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // A fork copies the tables of the tests' memory, and the program's exec throws them away: a tenth of the processor time
    // of tests that start programs.
    pid_t child = livery_fork();
    if (child == 0) {
        become_program(request, report[1]);
    }
    int error = child == -1 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);

    if (child != -1) {
        ssize_t count;
        do {
            count = read(report[0], &error, sizeof error);
        } while (count == -1 && errno == EINTR);
        if (count == sizeof error) {
            while (waitpid(child, NULL, 0) == -1 && errno == EINTR) {
            }
        } else {
            error = 0;
            *identifier = child;
        }
    }
    close(report[0]);
    return error;
}

int livery_open_terminal(char *path, size_t capacity) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal == -1) {
        return -1;
    }
    if (fcntl(terminal, F_SETFD, FD_CLOEXEC) == -1 || grantpt(terminal) == -1 || unlockpt(terminal) == -1
        || ptsname_r(terminal, path, capacity) != 0) {
        int error = errno;
        close(terminal);
        errno = error;
        return -1;
    }
    return terminal;
}

int livery_set_terminal_size(int terminal, unsigned short columns, unsigned short rows) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return ioctl(terminal, TIOCSWINSZ, &size);
}

int livery_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) == -1) {
        return -1;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

long livery_raise_file_limit(long wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    // Beyond the hard limit only root may go.
    struct rlimit higher = {.rlim_cur = wanted, .rlim_max = limit.rlim_max > (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted};
    if (setrlimit(RLIMIT_NOFILE, &higher) == 0) {
        return wanted;
    }
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? (long)limit.rlim_cur : 0;
}
