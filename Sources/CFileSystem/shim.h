// SPDX-License-Identifier: Apache-2.0

// statfs(2), eventfd(2) and getxattr(2), which the module Glibc leaves out.
#pragma once

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#else
#include <sys/mount.h>
#endif
