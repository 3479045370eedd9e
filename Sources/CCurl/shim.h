#ifndef LARDER_CCURL_SHIM_H
#define LARDER_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot call: one function a type. Computed macros are as far
// out of its reach.

static inline CURLcode larder_curl_prepare(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode larder_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

typedef size_t (*larder_curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode larder_curl_set_callback(CURL *easy, CURLoption option, larder_curl_bytes_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

// The handle of a finished transfer and its result, or NULL when nothing has finished.
static inline CURL *larder_curl_next_finished(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
