// SPDX-License-Identifier: Apache-2.0

// The system's C library, under one name for all platforms.
#if canImport(Glibc)
    @_exported public import Glibc
#else
    @_exported public import Darwin
#endif
