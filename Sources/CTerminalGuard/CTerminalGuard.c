// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/mman.h>
#endif

#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int notification_pipe[2] = {-1, -1};
// Atomic, since a crash may occur on another thread than the one that arms, and on two at once.
static atomic_int is_armed = 0;
// Set when a restore begins, and when the terminal is taken back for the end of the process.
static atomic_int has_restored = 0;
// Set while a restore lasts.
static atomic_int is_restoring = 0;
static volatile sig_atomic_t end_requested = 0;
// The process group of the program that has the terminal, or 0.
static atomic_int borrower = 0;
// How long that may take to end, in milliseconds.
#define LONGEST_RECALL 1000

// What a restore needs.
struct guarded {
    int terminal;
    // Of the terminal's open file, where it is shared with other programs, or -1.
    int flags;
    struct termios attributes;
    char bytes[4096];
    size_t count;
    int held_errors;
    int errors;
};

static struct guarded guarded = {.terminal = -1, .flags = -1, .held_errors = -1, .errors = -1};
// Held while that is copied.
static atomic_flag is_held = ATOMIC_FLAG_INIT;

// Returns the signals that were blocked before.
static sigset_t block_signals(void) {
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    return former;
}

// Blocks the signals of this thread as well, whose handlers would wait forever.
static sigset_t hold(void) {
    sigset_t former = block_signals();
    while (atomic_flag_test_and_set(&is_held)) poll(NULL, 0, 1);
    return former;
}

static void let_go(void) { atomic_flag_clear(&is_held); }

static void unblock(sigset_t former) { pthread_sigmask(SIG_SETMASK, &former, NULL); }

// A process that ended while another thread restores the terminal would cut that short.
static void await_restore(void) {
    while (is_restoring) poll(NULL, 0, 10);
}

static void write_all(int descriptor, const char *bytes, size_t count) {
    // A terminal that accepts nothing, stopped or gone, must not delay the end of the program.
    for (int attempts = 0; count > 0 && attempts < 64; attempts++) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0) {
            struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
            if (errno == EINTR || (errno == EAGAIN && poll(&ready, 1, 100) > 0)) continue;
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void copy_held_errors(int held_errors, int errors) {
    if (held_errors < 0) return;
    char chunk[1024];
    off_t offset = 0;
    for (;;) {
        ssize_t count = pread(held_errors, chunk, sizeof chunk, offset);
        if (count <= 0) return;
        write_all(errors, chunk, (size_t)count);
        offset += count;
    }
}

int lvy_guard_is_foreground(int terminal) {
    pid_t group = tcgetpgrp(terminal);
    return group < 0 || group == getpgrp();
}

int lvy_guard_has_restored(void) { return has_restored; }

void lvy_guard_restore(void) {
    sigset_t former = hold();
    int is_first = atomic_exchange(&is_armed, 0);
    struct guarded state = guarded;
    int is_foreground = lvy_guard_is_foreground(state.terminal);
    if (is_first) is_restoring = 1;
    if (is_first && is_foreground) has_restored = 1;
    let_go();
    if (is_first && is_foreground) {
        // Started again if Ctrl-S has stopped it: no one would be there to press Ctrl-Q.
        tcflow(state.terminal, TCOOFF);
        tcflow(state.terminal, TCOON);
        write_all(state.terminal, state.bytes, state.count);
        lvy_answers_finish(state.terminal);
        tcsetattr(state.terminal, TCSANOW, &state.attributes);
        if (state.flags >= 0) fcntl(state.terminal, F_SETFL, state.flags);
    }
    if (is_first) {
        copy_held_errors(state.held_errors, state.errors);
        is_restoring = 0;
    } else {
        await_restore();
    }
    unblock(former);
}

void lvy_guard_lend(pid_t group) { borrower = group; }

void lvy_guard_recall(void) {
    // While SIGTTOU is blocked, a process in the background may take the terminal.
    sigset_t former = hold();
    pid_t group = atomic_exchange(&borrower, 0);
    if (group > 0) has_restored = is_restoring = 1;
    let_go();
    if (group <= 0) {
        await_restore();
        unblock(former);
        return;
    }
    // Editors keep the text for a recovery then.
    kill(-group, SIGHUP);
    kill(-group, SIGCONT);
    for (int waited = 0; waited < LONGEST_RECALL && kill(-group, 0) == 0; waited += 10) {
        waitpid(group, NULL, WNOHANG);
        poll(NULL, 0, 10);
    }
    kill(-group, SIGKILL);
    tcsetpgrp(guarded.terminal, getpgrp());
    tcsetattr(guarded.terminal, TCSANOW, &guarded.attributes);
    is_restoring = 0;
    unblock(former);
}

void lvy_guard_arm(int terminal, int flags, const struct termios *attributes, const char *bytes, size_t count,
                   int held_errors, int errors) {
    sigset_t former = hold();
    // A program that ends on another thread takes the terminal no more.
    if (!has_restored) {
        guarded.terminal = terminal;
        guarded.flags = flags;
        guarded.attributes = *attributes;
        guarded.count = count < sizeof guarded.bytes ? count : sizeof guarded.bytes;
        memcpy(guarded.bytes, bytes, guarded.count);
        guarded.held_errors = held_errors;
        guarded.errors = errors;
        is_armed = 1;
    }
    let_go();
    unblock(former);
}

void lvy_guard_disarm(void) {
    sigset_t former = hold();
    is_armed = 0;
    let_go();
    unblock(former);
    await_restore();
}

static void handle(int signal, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    // What the system refuses to a program in the background would be tried again forever.
    int is_refusal = signal == SIGTTIN || signal == SIGTTOU;
    action.sa_flags = SA_ONSTACK | (is_refusal ? 0 : SA_RESTART);
    // Nothing interrupts a restore.
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

// What was ignored before the program began stays ignored: requests to end under nohup, keys in a shell's background.
static int is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void handle_all(const int *signals, size_t count, void (*handler)(int)) {
    for (size_t i = 0; i < count; i++) {
        if (!is_ignored(signals[i])) handle(signals[i], handler);
    }
}

static void raise_by_default(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    handle(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal);
}

static void end_by(int signal) {
    int saved = errno;
    lvy_guard_recall();
    lvy_guard_restore();
    raise_by_default(signal);
    errno = saved;
}

static void notify(int signal) {
    int saved = errno;
    unsigned char byte = (unsigned char)signal;
    // A full pipe already has the program's attention.
    ssize_t ignored = write(notification_pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

static void on_end_request(int signal) {
    if (end_requested) end_by(signal);
    end_requested = 1;
    notify(signal);
}

void lvy_guard_protect_stack(void) {
    static char memory[64 * 1024];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    sigaltstack(&stack, NULL);
}

// A file that is opened next would become standard output if that is closed, and be written to. Opened the wrong way
// round, so that to read or to write fails as it does on a closed descriptor.
__attribute__((constructor)) static void fill_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

int lvy_guard_open(void) {
    if (pipe(notification_pipe) != 0) return -1;
    for (int end = 0; end < 2; end++) {
        fcntl(notification_pipe[end], F_SETFL, O_NONBLOCK);
        fcntl(notification_pipe[end], F_SETFD, FD_CLOEXEC);
    }
    // Where curses finds the default action when it starts, it ignores the signal during each update: a Ctrl-Z is lost.
    if (!is_ignored(SIGTSTP)) handle(SIGTSTP, notify);
    return notification_pipe[0];
}

void lvy_guard_close(void) {
    if (!is_ignored(SIGTSTP)) handle(SIGTSTP, SIG_DFL);
    for (int end = 0; end < 2; end++) {
        close(notification_pipe[end]);
        notification_pipe[end] = -1;
    }
}

// The numbers of real-time signals are not constant.
#if defined(SIGRTMAX)
#define LAST_SIGNAL SIGRTMAX
#else
#define LAST_SIGNAL (NSIG - 1)
#endif

static int ends_no_program(int signal) {
#if !defined(__linux__)
    if (signal == SIGIO || signal == SIGINFO) return 1;
#endif
    return signal == SIGCHLD || signal == SIGURG || signal == SIGCONT || signal == SIGWINCH || signal == SIGTSTP ||
           signal == SIGTTIN || signal == SIGTTOU;
}

// Crashes, and what else ends a program by default: USR1, ALRM, real-time signals. A profiler keeps its own handlers, but
// the runtime's for crashes would ask questions on the full screen.
static void handle_ends(void) {
    static const int crashes[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    handle_all(crashes, sizeof crashes / sizeof *crashes, end_by);
    for (int signal = 1; signal <= LAST_SIGNAL; signal++) {
        struct sigaction action;
        if (ends_no_program(signal) || sigaction(signal, NULL, &action) != 0) continue;
        if (action.sa_handler == SIG_DFL) handle(signal, end_by);
    }
}

void lvy_guard_install(void) {
    static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
    static const int notices[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGWINCH};
    handle_all(requests, sizeof requests / sizeof *requests, on_end_request);
    handle_all(notices, sizeof notices / sizeof *notices, notify);
    handle(SIGPIPE, SIG_IGN);
    handle_ends();
}

void lvy_guard_install_for_question(void) { handle_ends(); }

void lvy_guard_reraise(int signal) {
    await_restore();
    raise_by_default(signal);
    handle(signal, ends_no_program(signal) ? notify : on_end_request);
}

FILE *lvy_open_memory_stream(void) {
#if defined(__linux__)
    int descriptor = memfd_create("livery-frame", MFD_CLOEXEC);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
#else
    return tmpfile();
#endif
}
