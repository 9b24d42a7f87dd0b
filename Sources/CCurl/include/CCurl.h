// What Swift cannot call of libcurl by itself: the functions whose last argument has a type that depends on another one.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

typedef size_t (*livery_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode livery_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livery_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livery_curl_set_fields(CURL *handle, struct curl_slist *fields) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
}

/// Sends a copy of the bytes along.
static inline CURLcode livery_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Where the lines of the head and the bytes of the body go.
static inline void livery_curl_set_sinks(CURL *handle, livery_curl_sink head, livery_curl_sink body, void *context) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// The next transfer that has ended, or NULL.
static inline CURL *livery_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline size_t livery_curl_pause(void) { return CURL_WRITEFUNC_PAUSE; }

#endif
