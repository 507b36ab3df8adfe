#include "connection.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "blaster: %s\n", what.c_str());
  std::exit(1);
}

// A frame of few bytes that is not masked.
std::string small_frame(int opcode, const std::string &payload) {
  return std::string{char(0x80 | opcode), char(payload.size())} + payload;
}

}  // namespace

int64_t monotonic() {
  static int64_t first = 0;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t now = int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
  // Stamps are greater than last_stamp, and every language holds them exactly.
  if (!first) first = now - 1000;
  return now - first;
}

size_t Connection::read(char *buffer, size_t count) {
  if (session) {
    const int got = SSL_read(session, buffer, int(count));
    if (got > 0) return size_t(got);
    if (SSL_get_error(session, got) == SSL_ERROR_WANT_READ) return 0;
    fail("the program has closed its connection");
  }
  const ssize_t got = recv(socket, buffer, count, MSG_DONTWAIT);
  if (got > 0) return size_t(got);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  fail("the program has closed its connection");
}

size_t Connection::write(const char *bytes, size_t count) {
  if (session) {
    const int sent = SSL_write(session, bytes, int(count));
    if (sent > 0) return size_t(sent);
    const int error = SSL_get_error(session, sent);
    if (error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ) return 0;
    fail("the program has closed its connection");
  }
  const ssize_t sent = ::send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0) return size_t(sent);
  if (errno == EAGAIN || errno == EINTR) return 0;
  fail("the program has closed its connection");
}

void Connection::open() {
  std::string request;
  char buffer[4096];
  while (request.find("\r\n\r\n") == std::string::npos) {
    const size_t got = read(buffer, sizeof buffer);
    request.append(buffer, got);
    pollfd polled{socket, POLLIN, 0};
    if (got == 0 && poll(&polled, 1, 10000) == 0) fail("no opening request came");
  }
  const char *name = "sec-websocket-key:";
  const char *found = strcasestr(request.c_str(), name);
  if (!found) fail("the opening request has no Sec-WebSocket-Key");
  std::string key(found + std::strlen(name));
  key.resize(key.find("\r\n"));
  key.erase(0, key.find_first_not_of(' '));
  key += "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455, section 1.3
  unsigned char digest[SHA_DIGEST_LENGTH], accept[64];
  SHA1(reinterpret_cast<const unsigned char *>(key.data()), key.size(), digest);
  EVP_EncodeBlock(accept, digest, sizeof digest);
  output = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
           std::string(reinterpret_cast<char *>(accept)) + "\r\n\r\n";
  while (is_pending()) send();
}

void Connection::send() {
  size_t sent = 0;
  while (sent < output.size()) {
    const size_t count = write(output.data() + sent, output.size() - sent);
    if (count == 0) break;
    sent += count;
  }
  output.erase(0, sent);
}

std::vector<int64_t> Connection::receive() {
  std::vector<int64_t> stamps;
  char buffer[16384];
  while (const size_t got = read(buffer, sizeof buffer)) {
    input.append(buffer, got);
    if (got < sizeof buffer) break;
  }
  // Frames of a client: masked, and what is answered here is small.
  size_t at = 0;
  for (;;) {
    const size_t rest = input.size() - at;
    if (rest < 6) break;
    const auto *head = reinterpret_cast<const unsigned char *>(input.data() + at);
    const size_t length = head[1] & 127;
    if (!(head[1] & 128) || length > 125) fail("the program sent a frame that is not masked, or not small");
    if (rest < 6 + length) break;
    std::string payload(input, at + 6, length);
    for (size_t index = 0; index < length; index++) payload[index] = char(payload[index] ^ head[2 + index % 4]);
    take(head[0] & 15, payload, stamps);
    at += 6 + length;
  }
  input.erase(0, at);
  return stamps;
}

void Connection::take(int opcode, const std::string &payload, std::vector<int64_t> &stamps) {
  if (opcode == 8) fail("the program has closed its connection");
  if (opcode == 9) output += small_frame(10, payload);
  if (opcode > 2) return;
  const size_t at = payload.find("\"stamp\":");
  if (at == std::string::npos) fail("an answer has no stamp: " + payload);
  stamps.push_back(std::strtoll(payload.c_str() + at + 8, nullptr, 10));
}

Listener::Listener(const std::string &certificate, const std::string &key) {
  socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *any = reinterpret_cast<sockaddr *>(&address);
  if (bind(socket, any, size) != 0 || listen(socket, 1024) != 0 || getsockname(socket, any, &size) != 0)
    fail("can't listen on loopback");
  port = ntohs(address.sin_port);
  if (certificate.empty()) return;
  context = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    fail("can't read the certificate or its key");
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

std::string Listener::url() const {
  return (context ? "wss://127.0.0.1:" : "ws://127.0.0.1:") + std::to_string(port) + "/";
}

Connection Listener::accept() {
  pollfd polled{socket, POLLIN, 0};
  if (poll(&polled, 1, 20000) <= 0) fail("the program did not connect within 20 seconds");
  const int descriptor = accept4(socket, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) fail("can't accept a connection");
  const int one = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  SSL *session = nullptr;
  if (context) {
    session = SSL_new(context);
    SSL_set_fd(session, descriptor);
    if (SSL_accept(session) != 1) fail("the handshake of TLS failed");
  }
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  Connection connection(descriptor, session);
  connection.open();
  return connection;
}
