#ifndef PIPELINE_CCURL_SHIM_H
#define PIPELINE_CCURL_SHIM_H

#include <curl/curl.h>
// Not part of the Glibc module; libcurl's sockets are watched with it.
#include <sys/epoll.h>
#include <sys/socket.h>

// Swift imports neither variadic functions nor the typed macros around them: one inline wrapper a type.

static inline CURLcode curl_easy_setopt_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_mime(CURL *easy, CURLoption option, curl_mime *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_easy_setopt_write_function(CURL *easy, CURLoption option, curl_write_callback function) {
  return curl_easy_setopt(easy, option, function);
}

// A socket that programs started by the host don't inherit: they would keep its connection open.
static inline curl_socket_t curl_open_private_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode curl_easy_setopt_private_sockets(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, curl_open_private_socket);
}

static inline CURLcode curl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_getinfo_string(CURL *easy, CURLINFO info, char **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_getinfo_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_easy_getinfo_certificates(CURL *easy, struct curl_certinfo **value) {
  return curl_easy_getinfo(easy, CURLINFO_CERTINFO, value);
}

static inline CURLMcode curl_multi_setopt_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode curl_multi_setopt_socket_function(CURLM *multi, curl_socket_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode curl_multi_setopt_timer_function(CURLM *multi, curl_multi_timer_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

#endif
