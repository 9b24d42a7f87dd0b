// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CThreadGuard.h"
#include "CTerminalGuard.h"

#include <stddef.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static char *last_message = NULL;
static int last_exit_code = 0;

void lvy_end_without_threads(const char *message, int exit_code) {
    last_exit_code = exit_code;
    last_message = strdup(message);
}

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

#define PAUSE 50
#define LONGEST_SHORTAGE 2000

_Noreturn static void end_process(void) {
    // During the full screen, standard error is held: the restore prints it.
    ssize_t ignored = write(STDERR_FILENO, last_message, strlen(last_message));
    (void)ignored;
    lvy_guard_restore();
    _exit(last_exit_code);
}

// Takes the place of the system's function for all libraries. libdispatch would wait for a thread forever, on the thread that
// needs it, which may be the one that reads the keys.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static _Atomic(create_function) known = NULL;
    create_function create = known;
    if (!create) known = create = (create_function)dlsym(RTLD_NEXT, "pthread_create");
    for (int waited = 0;; waited += PAUSE) {
        int code = create(thread, attributes, start, argument);
        if (code != EAGAIN || !last_message) return code;
        if (waited >= LONGEST_SHORTAGE) end_process();
        poll(NULL, 0, PAUSE);
    }
}
#endif
