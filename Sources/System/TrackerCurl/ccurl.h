// The part of libcurl's interface (https://curl.se/libcurl/c/) that `CurlTransport` uses, declared here so that the
// package builds where no development package of libcurl is installed. `curl_easy_setopt` and `curl_easy_getinfo`
// are variadic, which Swift cannot call: hence the typed wrappers.
#ifndef TRACKER_CCURL_H
#define TRACKER_CCURL_H

#include <stddef.h>
#include <time.h>

typedef struct Curl_easy CURL;
typedef struct Curl_multi CURLM;
typedef struct Curl_URL CURLU;

struct curl_slist {
  char *data;
  struct curl_slist *next;
};

typedef struct CURLMsg {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

#define CURLE_OK 0
#define CURLE_NOT_BUILT_IN 4
#define CURLE_OPERATION_TIMEDOUT 28
#define CURLE_SSL_CONNECT_ERROR 35
#define CURLE_UNKNOWN_OPTION 48
#define CURLE_PEER_FAILED_VERIFICATION 60
#define CURLE_SSL_CACERT_BADFILE 77
#define CURL_ERROR_SIZE 256
#define CURLM_OK 0
#define CURLMSG_DONE 1
#define CURL_GLOBAL_DEFAULT 3
#define CURLPROTO_HTTP_AND_HTTPS 3
#define CURL_HTTP_VERSION_1_1 2

#define CURLOPT_WRITEDATA 10001
#define CURLOPT_URL 10002
#define CURLOPT_ERRORBUFFER 10010
#define CURLOPT_HTTPHEADER 10023
#define CURLOPT_HEADERDATA 10029
#define CURLOPT_CUSTOMREQUEST 10036
#define CURLOPT_CAINFO 10065
#define CURLOPT_CAPATH 10097
#define CURLOPT_ACCEPT_ENCODING 10102
#define CURLOPT_COPYPOSTFIELDS 10165
#define CURLOPT_NOBODY 44
#define CURLOPT_POST 47
#define CURLOPT_FOLLOWLOCATION 52
#define CURLOPT_FRESH_CONNECT 74
#define CURLOPT_FORBID_REUSE 75
#define CURLOPT_HTTPGET 80
#define CURLOPT_HTTP_VERSION 84
#define CURLOPT_BUFFERSIZE 98
#define CURLOPT_NOSIGNAL 99
#define CURLOPT_TIMEOUT_MS 155
#define CURLOPT_PROTOCOLS 181
#define CURLOPT_TCP_KEEPALIVE 213
#define CURLOPT_SUPPRESS_CONNECT_HEADERS 265
#define CURLOPT_MAXAGE_CONN 288
#define CURLOPT_MAXLIFETIME_CONN 314
#define CURLOPT_CA_CACHE_TIMEOUT 321
#define CURLOPT_QUICK_EXIT 322
#define CURLOPT_WRITEFUNCTION 20011
#define CURLOPT_HEADERFUNCTION 20079
#define CURLOPT_POSTFIELDSIZE_LARGE 30120
#define CURLMOPT_MAXCONNECTS 6
#define CURLMOPT_MAX_TOTAL_CONNECTIONS 13
#define CURLINFO_RESPONSE_CODE 0x200002
#define CURLINFO_HTTP_CONNECTCODE 0x200016
#define CURLUE_OK 0
#define CURLUE_BAD_PORT_NUMBER 4
#define CURLUPART_URL 0
#define CURLUPART_HOST 5
#define CURLUPART_PORT 6
#define CURLUPART_ZONEID 10
#define CURLU_NON_SUPPORT_SCHEME 8u

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);

int curl_global_init(long flags);
CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *easy);
const char *curl_easy_strerror(int code);
int curl_easy_setopt(CURL *easy, int option, ...);
int curl_easy_getinfo(CURL *easy, int info, ...);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
CURLM *curl_multi_init(void);
int curl_multi_cleanup(CURLM *multi);
int curl_multi_add_handle(CURLM *multi, CURL *easy);
int curl_multi_remove_handle(CURLM *multi, CURL *easy);
int curl_multi_perform(CURLM *multi, int *running);
int curl_multi_poll(CURLM *multi, void *extra, unsigned int count, int milliseconds, int *ready);
int curl_multi_wakeup(CURLM *multi);
int curl_multi_setopt(CURLM *multi, int option, ...);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);
CURLU *curl_url(void);
void curl_url_cleanup(CURLU *url);
int curl_url_set(CURLU *url, int part, const char *text, unsigned int flags);
int curl_url_get(CURLU *url, int part, char **text, unsigned int flags);
void curl_free(void *memory);
time_t curl_getdate(const char *text, const time_t *unused);

static inline int ccurl_set_long(CURL *easy, int option, long value) { return curl_easy_setopt(easy, option, value); }
static inline int ccurl_set_offset(CURL *easy, int option, long long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_string(CURL *easy, int option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_pointer(CURL *easy, int option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_list(CURL *easy, int option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_callback(CURL *easy, int option, ccurl_data_callback value) {
  return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_multi_set_long(CURLM *multi, int option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline int ccurl_get_long(CURL *easy, int info, long *value) { return curl_easy_getinfo(easy, info, value); }
static inline int ccurl_result(const CURLMsg *message) { return message->data.result; }

#endif
