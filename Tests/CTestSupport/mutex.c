// SPDX-License-Identifier: Apache-2.0

// The thread sanitizer does not see what Swift's Mutex does when it is contended: the library that does it is not built with
// it. So each wait for a lock would be reported as a race between its two holders, unless it is annotated.
#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void Lock(uint32_t thread, SELF);
typedef SWIFT void Unlock(SELF);

SWIFT void livery_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void livery_unlock(SELF) __asm__(UNLOCK);

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "This version of Swift has no %s: the thread sanitizer cannot be used.\n", name);
        abort();
    }
    return function;
}

SWIFT void livery_lock(uint32_t thread, SELF) {
    ((Lock *)original(LOCK))(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void livery_unlock(SELF) {
    __tsan_release(mutex);
    ((Unlock *)original(UNLOCK))(mutex);
}

#endif
#endif
