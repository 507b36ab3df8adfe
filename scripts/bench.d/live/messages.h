// The messages of the blaster, as frames of a server.

#ifndef MESSAGES_H
#define MESSAGES_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

// Texts that are sent again and again, round and round.
class Messages {
 public:
  // Makes prices, or trades of many symbols; like those of the recordings, they cross 67,000 now and then.
  void make(bool trades, size_t keys) {
    const size_t count = std::max<size_t>(keys, 10000);
    std::vector<int64_t> price(keys, 6600000);
    uint64_t random = 0x9E3779B97F4A7C15u;
    char text[512];
    for (size_t n = 0; n < count; n++) {
      const size_t key = n * 61 % keys;  // 61 is prime to every power of ten
      price[key] += int64_t(next(random) % 6001) - 3000 - (price[key] - 6700000) / 64;
      const long long whole = price[key] / 100, part = price[key] % 100, time = 1760000000000 + (long long)n;
      const uint64_t bits = next(random);
      if (!trades) {
        std::snprintf(text, sizeof text, "{\"bitcoin\":\"%lld.%02lld\"}", whole, part);
      } else {
        std::snprintf(text, sizeof text,
                      "{\"event\":\"trade\",\"time\":%lld,\"symbol\":\"S%05zu\",\"id\":%zu,\"price\":\"%lld.%02lld\","
                      "\"amount\":\"0.%04d\",\"buyer\":%zu,\"seller\":%zu,\"traded\":%lld,\"side\":\"%s\","
                      "\"maker\":%s,\"venue\":\"SIM\",\"unit\":\"USD\",\"seq\":%zu}",
                      time, key, 30000000 + n, whole, part, int(bits % 9999 + 1), 50000000 + 2 * n, 50000001 + 2 * n,
                      time - (long long)(bits >> 61), bits & 4096 ? "buy" : "sell", bits & 8192 ? "true" : "false",
                      n + 1);
      }
      texts.push_back(text);
    }
  }

  // Appends a message in its frame.
  void append(std::string &output, size_t number) const { frame(output, texts[number % texts.size()], ""); }

  // Appends one that is to be answered.
  void append_stamped(std::string &output, size_t number, int64_t stamp) const {
    frame(output, texts[number % texts.size()], ",\"stamp\":" + std::to_string(stamp) + "}");
  }

 private:
  std::vector<std::string> texts;

  static uint64_t next(uint64_t &state) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }

  // A text frame that is not masked; the end takes the place of the text's last byte.
  static void frame(std::string &output, const std::string &text, const std::string &end) {
    const size_t length = end.empty() ? text.size() : text.size() - 1 + end.size();
    output += char(0x81);
    if (length < 126) {
      output += char(length);
    } else {
      output += char(126);
      output += char(length >> 8);
      output += char(length & 255);
    }
    output.append(text, 0, end.empty() ? text.size() : text.size() - 1);
    output += end;
  }
};

#endif
