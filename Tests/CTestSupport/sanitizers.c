// What each program that is built with a sanitizer is to do, whatever environment a test gives it.
#if defined(__has_feature)

#if __has_feature(address_sanitizer)
// Programs that end do not give everything back, nor need they.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif

#if __has_feature(thread_sanitizer)
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "halt_on_error=1"; }
#endif

#endif
