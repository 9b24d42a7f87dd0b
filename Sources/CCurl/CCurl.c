// SPDX-License-Identifier: Apache-2.0

#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct livery_curl livery_curl;

static int is_loaded;

#ifdef __APPLE__
static const char *const names[] = {"libcurl.4.dylib"};
#else
// The second is Debian's other build of the same interface.
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

static void *open_any(void) {
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        void *library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
        if (library != NULL) {
            return library;
        }
    }
    return NULL;
}

static void load(void) {
    void *library = open_any();
    if (library == NULL) {
        return;
    }
    int missing = 0;
#define FIND(function) missing |= (livery_curl.function = dlsym(library, "curl_" #function)) == NULL
    FIND(global_init);
    FIND(easy_init);
    FIND(easy_setopt);
    FIND(easy_getinfo);
    FIND(version_info);
    FIND(easy_pause);
    FIND(easy_strerror);
    FIND(easy_cleanup);
    FIND(slist_append);
    FIND(slist_free_all);
    FIND(multi_init);
    FIND(multi_add_handle);
    FIND(multi_remove_handle);
    FIND(multi_perform);
    FIND(multi_poll);
    FIND(multi_wakeup);
    FIND(multi_info_read);
    FIND(multi_cleanup);
    FIND(share_init);
    FIND(share_setopt);
    FIND(share_cleanup);
#undef FIND
    is_loaded = !missing && livery_curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int livery_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
