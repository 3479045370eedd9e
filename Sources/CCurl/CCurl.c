#include "CCurl.h"

#include <stddef.h>

#define FUNCTIONS(each) \
    each(global_init) each(easy_init) each(easy_cleanup) each(easy_pause) each(easy_setopt) each(slist_append) \
    each(slist_free_all) each(multi_init) each(multi_cleanup) each(multi_add_handle) each(multi_remove_handle) \
    each(multi_perform) each(multi_poll) each(multi_wakeup) each(multi_info_read)

#define FIELD(name) __typeof__(&(curl_##name)) name;
static struct { FUNCTIONS(FIELD) } library;

#ifdef __APPLE__

static bool find_functions(void) {
#define TAKE(name) library.name = (curl_##name);
    FUNCTIONS(TAKE)
    return true;
}

#else

#include <dlfcn.h>

static bool find_functions(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
#define FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, "curl_" #name); \
    if (library.name == NULL) return false;
    FUNCTIONS(FIND)
    return true;
}

#endif

bool larder_curl_load(void) {
    return find_functions() && library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *larder_curl_easy_init(void) { return library.easy_init(); }

void larder_curl_easy_cleanup(CURL *easy) { library.easy_cleanup(easy); }

CURLcode larder_curl_easy_pause(CURL *easy, int flags) { return library.easy_pause(easy, flags); }

struct curl_slist *larder_curl_slist_append(struct curl_slist *list, const char *line) {
    return library.slist_append(list, line);
}

void larder_curl_slist_free_all(struct curl_slist *list) { library.slist_free_all(list); }

CURLM *larder_curl_multi_init(void) { return library.multi_init(); }

void larder_curl_multi_cleanup(CURLM *multi) { library.multi_cleanup(multi); }

CURLMcode larder_curl_multi_add(CURLM *multi, CURL *easy) { return library.multi_add_handle(multi, easy); }

CURLMcode larder_curl_multi_remove(CURLM *multi, CURL *easy) { return library.multi_remove_handle(multi, easy); }

CURLMcode larder_curl_multi_perform(CURLM *multi) {
    int running;
    return library.multi_perform(multi, &running);
}

CURLMcode larder_curl_multi_poll(CURLM *multi, int milliseconds) {
    return library.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode larder_curl_multi_wakeup(CURLM *multi) { return library.multi_wakeup(multi); }

CURL *larder_curl_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = library.multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

CURLcode larder_curl_set_long(CURL *easy, CURLoption option, long value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode larder_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode larder_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode larder_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode larder_curl_set_headers(CURL *easy, struct curl_slist *list) {
    return library.easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

CURLcode larder_curl_set_callback(CURL *easy, CURLoption option, larder_curl_bytes_callback callback) {
    return library.easy_setopt(easy, option, callback);
}
