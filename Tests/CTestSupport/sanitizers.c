// SPDX-License-Identifier: Apache-2.0

// What each program that is built with a sanitizer is to do, whatever environment a test gives it.
#if defined(__has_feature)

#if __has_feature(address_sanitizer)
// Programs that end do not give everything back, nor need they. The second stack for handlers is the program's own, and not
// to be unmapped when a thread ends. Freed memory is kept for a while, which tests of memory limits count as well.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:use_sigaltstack=0:quarantine_size_mb=16"; }
#endif

#if __has_feature(thread_sanitizer)
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "halt_on_error=1"; }

// NIO reuses a buffer once it has no other references. The reference count orders the two accesses, in the library of
// Swift, which the sanitizer does not see.
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "race:NIOCore10ByteBufferV8_Storage\n"; }
#endif

#endif
