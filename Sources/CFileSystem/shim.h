// SPDX-License-Identifier: Apache-2.0

// statfs(2), eventfd(2), getxattr(2), prctl(2) and mallopt(3), which the module Glibc leaves out.
#pragma once

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// Swift does not import functions whose number of arguments varies.
static inline int set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

#if defined(__GLIBC__)
#include <malloc.h>

static inline void set_allocator(int mapped, int trimmed, int arenas) {
    mallopt(M_MMAP_THRESHOLD, mapped);
    mallopt(M_TRIM_THRESHOLD, trimmed);
    mallopt(M_ARENA_MAX, arenas);
}
#endif
#else
#include <sys/mount.h>
#endif
