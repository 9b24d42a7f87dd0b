// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CTestSupport.h"

#include <stdlib.h>
#include <string.h>

// A longer text is not a head.
enum { MAXIMUM_HEAD = 100000 };

long livery_http_answer(const char *bytes, size_t count, int has_body, int *status) {
    const char *end = count < 17 ? NULL : memmem(bytes, count, "\r\n\r\n", 4);
    if (end == NULL) {
        return count > MAXIMUM_HEAD ? -1 : 0;
    }
    if (memcmp(bytes, "HTTP/1.1 ", 9) != 0) {
        return -1;
    }
    *status = atoi(bytes + 9);
    if (*status < 200 || *status > 599) {
        return -1;
    }
    long head = end + 4 - bytes;
    if (!has_body || *status == 204 || *status == 304) {
        return head;
    }
    // The first letter is written large or small.
    const char *field = memmem(bytes, (size_t)head, "ontent-length: ", 15);
    field = field != NULL ? field : memmem(bytes, (size_t)head, "ontent-Length: ", 15);
    if (field == NULL) {
        return -1;
    }
    long length = head + atol(field + 15);
    return length <= (long)count ? length : 0;
}
