#ifndef LARDER_CCURL_H
#define LARDER_CCURL_H

#include <stdbool.h>

#include <curl/curl.h>

// libcurl, loaded when it is first needed: with the thirty libraries it brings along it makes the start of a program several
// times as long. On Apple's systems, where it is part of the system, it is linked.
//
// Its functions are reached through the ones below alone, and only once larder_curl_load has succeeded. Those that take variable
// arguments, which Swift cannot call, have one form a type.

// Loads the library and prepares it; false when it is not there or not fit for use. To be called once, on one thread.
bool larder_curl_load(void);

CURL *larder_curl_easy_init(void);
void larder_curl_easy_cleanup(CURL *easy);
CURLcode larder_curl_easy_pause(CURL *easy, int flags);

struct curl_slist *larder_curl_slist_append(struct curl_slist *list, const char *line);
void larder_curl_slist_free_all(struct curl_slist *list);

CURLM *larder_curl_multi_init(void);
void larder_curl_multi_cleanup(CURLM *multi);
CURLMcode larder_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode larder_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode larder_curl_multi_perform(CURLM *multi);
CURLMcode larder_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode larder_curl_multi_wakeup(CURLM *multi);
// The handle of a finished transfer and its result, or NULL when nothing has finished.
CURL *larder_curl_multi_next_finished(CURLM *multi, CURLcode *result);

typedef size_t (*larder_curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

CURLcode larder_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode larder_curl_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode larder_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode larder_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode larder_curl_set_headers(CURL *easy, struct curl_slist *list);
CURLcode larder_curl_set_callback(CURL *easy, CURLoption option, larder_curl_bytes_callback callback);

#endif
