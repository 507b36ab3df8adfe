// Writes a recording to standard output: recordings (prices|trades) COUNT KEYS
//
// Prices start at 66,000, are drawn to 67,000 and cross it now and then. With many keys they take turns in a scattered
// order, so that the first KEYS trades touch each key once.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Random {
  uint64_t state = 0x9E3779B97F4A7C15u;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
};

// A step of up to 30.00 in hundredths, drawn back to 67,000.
int64_t moved(int64_t price, Random &random) {
  int64_t step = int64_t(random.next() % 6001) - 3000;
  return price + step - (price - 6700000) / 64;
}

}  // namespace

int main(int count_of_arguments, char **arguments) {
  const bool trades = count_of_arguments == 4 && std::strcmp(arguments[1], "trades") == 0;
  const bool prices = count_of_arguments == 4 && std::strcmp(arguments[1], "prices") == 0;
  const long count = prices || trades ? std::atol(arguments[2]) : 0;
  const size_t keys = prices || trades ? size_t(std::atol(arguments[3])) : 0;
  if (count < 1 || keys < 1 || keys > 100000) {
    std::fputs("usage: recordings (prices|trades) COUNT KEYS, with 1 to 100000 keys\n", stderr);
    return 2;
  }
  Random random;
  std::vector<int64_t> price(keys, 6600000);
  for (long n = 0; n < count; n++) {
    size_t key = size_t(n) * 61 % keys;  // 61 is prime to every power of ten
    price[key] = moved(price[key], random);
    const long long whole = price[key] / 100, part = price[key] % 100;
    if (prices) {
      std::printf("{\"bitcoin\":\"%lld.%02lld\"}\n", whole, part);
      continue;
    }
    const uint64_t bits = random.next();
    const long long time = 1760000000000 + n;
    std::printf("{\"event\":\"trade\",\"time\":%lld,\"symbol\":\"S%05zu\",\"id\":%ld,\"price\":\"%lld.%02lld\","
                "\"amount\":\"0.%04d\",\"buyer\":%ld,\"seller\":%ld,\"traded\":%lld,\"side\":\"%s\",\"maker\":%s,"
                "\"venue\":\"SIM\",\"unit\":\"USD\",\"seq\":%ld}\n",
                time, key, 30000000 + n, whole, part, int(bits % 9999 + 1), 50000000 + 2 * n,
                50000001 + 2 * n, time - long(bits >> 61), bits & 4096 ? "buy" : "sell",
                bits & 8192 ? "true" : "false", n + 1);
  }
  return std::fflush(stdout) == 0 && !std::ferror(stdout) ? 0 : 1;
}
