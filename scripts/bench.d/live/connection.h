// The server's side of WebSocket connections over loopback, plain or over TLS (RFC 6455).

#ifndef CONNECTION_H
#define CONNECTION_H

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The stamp of a message that ends what is measured.
constexpr int64_t last_stamp = 1;

// The monotonic clock in nanoseconds, since the first call.
int64_t monotonic();

class Connection {
 public:
  Connection(int descriptor, SSL *session) : socket(descriptor), session(session) {}

  // What is still to be sent.
  std::string output;

  int descriptor() const { return socket; }
  bool is_pending() const { return !output.empty(); }

  // Answers the opening request.
  void open();

  // Sends as much of the output as is taken.
  void send();

  // Reads without waiting; gives the stamps that have come.
  std::vector<int64_t> receive();

 private:
  int socket;
  SSL *session;
  std::string input;

  // How many bytes, 0 for none at the moment.
  size_t read(char *buffer, size_t count);
  size_t write(const char *bytes, size_t count);
  void take(int opcode, const std::string &payload, std::vector<int64_t> &stamps);
};

class Listener {
 public:
  // Listens on a free port of loopback; without a certificate there is no TLS.
  Listener(const std::string &certificate, const std::string &key);

  std::string url() const;
  Connection accept();

 private:
  int socket;
  int port = 0;
  SSL_CTX *context = nullptr;
};

#endif
