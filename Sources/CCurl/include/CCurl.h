// SPDX-License-Identifier: Apache-2.0

// libcurl, found when it is first needed: loading it and the thirty libraries that it needs takes as long as all else
// that happens before the first frame, and a program that follows a file never needs it.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <string.h>

// The header's macros check the types of arguments by the functions' own names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

/// The functions of libcurl, of the types that its header gives them.
struct livery_curl {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_version_info) *version_info;
    __typeof__(curl_easy_pause) *easy_pause;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_wakeup) *multi_wakeup;
    __typeof__(curl_multi_info_read) *multi_info_read;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_share_init) *share_init;
    __typeof__(curl_share_setopt) *share_setopt;
    __typeof__(curl_share_cleanup) *share_cleanup;
};

extern struct livery_curl livery_curl;

/// Loads and initializes libcurl, once; safe on any thread.
///
/// Returns 0 if it is not on this machine or cannot be initialized; then none of the functions below may be called.
int livery_curl_load(void);

typedef size_t (*livery_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURL *livery_curl_easy_init(void) { return livery_curl.easy_init(); }
static inline void livery_curl_easy_cleanup(CURL *handle) { livery_curl.easy_cleanup(handle); }
static inline void livery_curl_easy_resume(CURL *handle) { livery_curl.easy_pause(handle, CURLPAUSE_CONT); }
static inline const char *livery_curl_easy_strerror(CURLcode code) { return livery_curl.easy_strerror(code); }

static inline struct curl_slist *livery_curl_slist_append(struct curl_slist *list, const char *line) {
    return livery_curl.slist_append(list, line);
}
static inline void livery_curl_slist_free_all(struct curl_slist *list) { livery_curl.slist_free_all(list); }

static inline CURLM *livery_curl_multi_init(void) { return livery_curl.multi_init(); }
static inline void livery_curl_multi_cleanup(CURLM *multi) { livery_curl.multi_cleanup(multi); }
static inline void livery_curl_multi_add(CURLM *multi, CURL *handle) { livery_curl.multi_add_handle(multi, handle); }
static inline void livery_curl_multi_remove(CURLM *multi, CURL *handle) {
    livery_curl.multi_remove_handle(multi, handle);
}
static inline void livery_curl_multi_wakeup(CURLM *multi) { livery_curl.multi_wakeup(multi); }
static inline void livery_curl_multi_perform(CURLM *multi) {
    int running;
    livery_curl.multi_perform(multi, &running);
}
static inline void livery_curl_multi_poll(CURLM *multi, int milliseconds) {
    livery_curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

/// What the transfers of one thread have in common: their TLS sessions, so that the next connection to a server need not verify
/// its certificate again. Returns NULL if there is too little memory.
static inline CURLSH *livery_curl_share_init(void) {
    CURLSH *share = livery_curl.share_init();
    if (share != NULL) {
        livery_curl.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    }
    return share;
}
static inline void livery_curl_share_cleanup(CURLSH *share) { livery_curl.share_cleanup(share); }
static inline void livery_curl_set_share(CURL *handle, CURLSH *share) {
    livery_curl.easy_setopt(handle, CURLOPT_SHARE, share);
}

static inline CURLcode livery_curl_set_number(CURL *handle, CURLoption option, long value) {
    return livery_curl.easy_setopt(handle, option, value);
}

static inline CURLcode livery_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return livery_curl.easy_setopt(handle, option, value);
}

/// Copies bytes. The options are numbered since older headers, whose library may be newer, do not name them.
static inline CURLcode livery_curl_set_bytes(CURL *handle, int option, void *bytes, size_t count) {
    struct curl_blob blob = {bytes, count, CURL_BLOB_COPY};
    return livery_curl.easy_setopt(handle, (CURLoption)option, &blob);
}

/// CURLOPT_CAINFO_BLOB, since 7.77.
static inline CURLcode livery_curl_set_authority(CURL *handle, void *bytes, size_t count) {
    return livery_curl_set_bytes(handle, CURLOPTTYPE_BLOB + 309, bytes, count);
}

/// Whether TLS is by GnuTLS, or by NSS as it once was.
static inline int livery_curl_uses_gnutls(void) {
    const curl_version_info_data *version = livery_curl.version_info(CURLVERSION_NOW);
    const char *library = version->ssl_version;
    return library != NULL && (strncmp(library, "GnuTLS", 6) == 0 || strncmp(library, "NSS", 3) == 0);
}

/// CURLOPT_SSLCERT_BLOB, since 7.71. With GnuTLS it is taken and then ignored.
static inline CURLcode livery_curl_set_certificate(CURL *handle, void *bytes, size_t count) {
    if (livery_curl_uses_gnutls()) return CURLE_NOT_BUILT_IN;
    return livery_curl_set_bytes(handle, CURLOPTTYPE_BLOB + 291, bytes, count);
}

/// CURLOPT_SSLKEY_BLOB, since 7.71.
static inline CURLcode livery_curl_set_key(CURL *handle, void *bytes, size_t count) {
    return livery_curl_set_bytes(handle, CURLOPTTYPE_BLOB + 292, bytes, count);
}

/// Makes each connection read the file of authorities again: CURLOPT_CA_CACHE_TIMEOUT, since 7.87. Older ones always do.
static inline void livery_curl_forget_authorities(CURL *handle) {
    livery_curl.easy_setopt(handle, (CURLoption)(CURLOPTTYPE_LONG + 321), 0L);
}

/// Where libcurl writes what went wrong, in at most CURL_ERROR_SIZE bytes.
static inline CURLcode livery_curl_set_error_buffer(CURL *handle, char *buffer) {
    return livery_curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode livery_curl_set_fields(CURL *handle, struct curl_slist *fields) {
    return livery_curl.easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
}

/// Sends a copy of the bytes along.
static inline CURLcode livery_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    CURLcode code = livery_curl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code == CURLE_OK ? livery_curl.easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Where the lines of the head and the bytes of the body go.
static inline void livery_curl_set_sinks(CURL *handle, livery_curl_sink head, livery_curl_sink body, void *context) {
    livery_curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    livery_curl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
    livery_curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    livery_curl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// How many bytes of the answer have come so far, head and body, as they were sent: not decompressed.
static inline curl_off_t livery_curl_received(CURL *handle) {
    long head = 0;
    curl_off_t body = 0;
    livery_curl.easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head);
    livery_curl.easy_getinfo(handle, CURLINFO_SIZE_DOWNLOAD_T, &body);
    return head + body;
}

/// With which status a proxy answered the wish for a connection through it; 0 if it was not asked for one.
static inline long livery_curl_proxy_status(CURL *handle) {
    long status = 0;
    livery_curl.easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status);
    return status;
}

/// The next transfer that has ended, or NULL.
static inline CURL *livery_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = livery_curl.multi_info_read(multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline size_t livery_curl_pause(void) { return CURL_WRITEFUNC_PAUSE; }

// Decompression by zlib, which is found when it is first needed, as libcurl is. libcurl's own decoder ends after the first
// member of gzip's format (RFC 1952).

/// Whether zlib is on this machine; safe on any thread.
int livery_inflate_load(void);

/// A decoder of gzip and zlib, or of deflate without a header; NULL without zlib, or without memory.
void *livery_inflate_new(int is_raw);
void livery_inflate_free(void *inflater);

/// Decodes some bytes.
///
/// The counts are those of the input and of the room for the output, and then how many bytes were read and written. Returns 1
/// at the end of a member, after which the next one may begin; 0 before that; and -1 for what cannot be decoded.
int livery_inflate(void *inflater, const void *input, size_t *consumed, void *output, size_t *written);

#endif
