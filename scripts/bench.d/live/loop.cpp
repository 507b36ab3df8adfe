// The least that a client can do: an epoll loop in C's manner that finds a price by its name and compares it.
//
//   loop price|trade
//
// It is what latencies are held against; it knows no other messages than the blaster's, and checks nothing.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr double level = 67000;

struct Feed {
  int socket;
  const char *field;
  double price = 0, high = 0;
  bool is_above = false;

  void answer(const char *stamp) const {
    char frame[128];
    const int length = std::snprintf(frame + 6, sizeof frame - 6, "{\"stamp\":%lld}", std::strtoll(stamp, nullptr, 10));
    frame[0] = char(0x81), frame[1] = char(0x80 | length);
    std::memset(frame + 2, 0, 4);  // a mask of zeros leaves the text as it is
    if (send(socket, frame, size_t(length) + 6, MSG_NOSIGNAL) < 0) std::exit(0);
  }

  void handle(char *text, size_t length) {
    const char end = text[length];
    text[length] = 0;
    if (const char *found = std::strstr(text, field)) {
      price = std::strtod(found + std::strlen(field), nullptr);
      if (price > high) high = price;
      if (is_above ? price <= level - 250 : price >= level) {
        is_above = !is_above;
        std::printf("%s %.2f\n", is_above ? "fired" : "resolved", price);
      }
    }
    if (const char *stamp = std::strstr(text, "\"stamp\":")) answer(stamp + 8);
    text[length] = end;
  }

  // Handles the frames of a server; gives how many bytes they were.
  size_t take(char *bytes, size_t count) {
    size_t at = 0;
    while (count - at >= 2) {
      const auto *head = reinterpret_cast<unsigned char *>(bytes + at);
      size_t length = head[1], size = 2;
      if (length == 126) {
        if (count - at < 4) break;
        length = size_t(head[2]) << 8 | head[3], size = 4;
      }
      if (count - at < size + length) break;
      if ((head[0] & 15) == 1) handle(bytes + at + size, length);
      at += size + length;
    }
    return at;
  }
};

int opened() {
  const char *url = std::getenv("BENCH_URL");
  int port = 0;
  if (!url || std::sscanf(url, "ws://127.0.0.1:%d/", &port) != 1) return -1;
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) return -1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  const std::string request =
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  if (send(descriptor, request.data(), request.size(), 0) != ssize_t(request.size())) return -1;
  std::string answer;
  char byte;
  while (answer.find("\r\n\r\n") == std::string::npos) {
    if (recv(descriptor, &byte, 1, 0) != 1) return -1;
    answer += byte;
  }
  return descriptor;
}

}  // namespace

int main(int count, char **arguments) {
  const bool is_trade = count == 2 && std::strcmp(arguments[1], "trade") == 0;
  Feed feed{opened(), is_trade ? "\"price\":\"" : "\"bitcoin\":\""};
  if (feed.socket < 0) {
    std::fputs("loop: can't connect to BENCH_URL\n", stderr);
    return 1;
  }
  const int poll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(poll, EPOLL_CTL_ADD, feed.socket, &event);
  static char buffer[(256 << 10) + 1];
  size_t held = 0;
  while (epoll_wait(poll, &event, 1, -1) > 0) {
    const ssize_t got = recv(feed.socket, buffer + held, sizeof buffer - 1 - held, 0);
    if (got <= 0) break;
    held += size_t(got);
    const size_t taken = feed.take(buffer, held);
    std::memmove(buffer, buffer + taken, held - taken);
    held -= taken;
  }
}
