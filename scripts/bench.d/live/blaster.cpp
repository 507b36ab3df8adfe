// A WebSocket server that starts a program, sends it messages over loopback and measures what they cost it.
//
//   blaster [OPTION VALUE]… -- PROGRAM ARGUMENT…
//
//   --shape price|trade    what is sent (price)
//   --keys N               the symbols of trades (1)
//   --connections N        how many the program opens (1)
//   --warm N               messages before the measuring begins (20000)
//   --count N              messages that are measured (100000)
//   --rate N               messages a second; 0 for as fast as they are taken (0)
//   --every N              with a rate: each N-th message is to be answered, and the answers are timed (0)
//   --idle N               milliseconds without a message, before what is called idle memory (0)
//   --cert FILE, --key FILE   the certificate of a server over TLS
//
// The program finds the address in the environment variable BENCH_URL. A message with a member `stamp` is to be
// answered with a text that has the same one: the last of each connection has it, so that all is known to be handled,
// and those that are timed. The processor time is that of the program's threads between the answers to the last message
// of the warm-up and to the last of all, so that starting up has no part in it. What is printed are words NAME=VALUE.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connection.h"
#include "messages.h"

namespace {

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "blaster: %s\n", what);
  std::exit(1);
}

// --- The program under test

struct Child {
  pid_t id = 0;
  clockid_t clock{};

  void start(char **arguments, const std::string &url) {
    setenv("BENCH_URL", url.c_str(), 1);
    id = fork();
    if (id == 0) {
      execvp(arguments[0], arguments);
      std::perror(arguments[0]);
      _exit(127);
    }
    if (id < 0 || clock_getcpuclockid(id, &clock) != 0) fail("can't start the program");
  }

  int64_t processor_nanoseconds() const {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) fail("the program has ended");
    return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
  }

  // The memory that is the program's alone, in KiB: what it has written, or that and the pages of files nobody else maps.
  long private_kib(bool only_written = false) const {
    const std::string path = "/proc/" + std::to_string(id) + "/smaps_rollup";
    FILE *file = std::fopen(path.c_str(), "r");
    if (!file) fail("can't read the program's memory");
    char line[256];
    long sum = 0, value = 0;
    while (std::fgets(line, sizeof line, file))
      if ((!only_written && std::sscanf(line, "Private_Clean: %ld", &value) == 1) ||
          std::sscanf(line, "Private_Dirty: %ld", &value) == 1)
        sum += value;
    std::fclose(file);
    return sum;
  }

  void stop() {
    if (!id) return;
    kill(id, SIGTERM);
    for (int tries = 0; tries < 500; tries++) {
      if (waitpid(id, nullptr, WNOHANG) == id) return;
      usleep(10000);
    }
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
  }
};

Child child;

void stop_child() { child.stop(); }

// --- Sending and hearing

struct Blast {
  std::vector<Connection> connections;
  Messages messages;
  std::vector<int64_t> latencies;
  size_t next_message = 0, answered = 0;

  // Takes what has come; true if there was anything.
  bool hear(bool is_timed) {
    bool heard = false;
    for (Connection &connection : connections) {
      const int64_t now = monotonic();
      for (int64_t stamp : connection.receive()) {
        heard = true;
        if (stamp == last_stamp) answered++;
        else if (is_timed) latencies.push_back(now - stamp);
      }
    }
    return heard;
  }

  void wait(bool wants_room) {
    std::vector<pollfd> polled;
    for (Connection &connection : connections) {
      const bool is_full = wants_room && connection.is_pending();
      polled.push_back({connection.descriptor(), short(POLLIN | (is_full ? POLLOUT : 0)), 0});
    }
    if (poll(polled.data(), polled.size(), 20000) == 0) fail("the program has been silent for 20 seconds");
  }

  // The last message of each connection; waits until all are answered.
  void finish() {
    answered = 0;
    for (Connection &connection : connections)
      messages.append_stamped(connection.output, next_message++, last_stamp);
    while (answered < connections.size()) {
      bool is_pending = false;
      for (Connection &connection : connections) {
        connection.send();
        is_pending = is_pending || connection.is_pending();
      }
      if (!hear(true)) wait(is_pending);
    }
  }

  // As many as the connections take, in turn.
  void send_at_full_speed(size_t count) {
    constexpr size_t piece = 64 << 10;
    while (count > 0) {
      bool has_room = false;
      for (Connection &connection : connections) {
        while (count > 0 && connection.output.size() < piece) {
          messages.append(connection.output, next_message++);
          count--;
          // Many connections have messages in turn, one alone has them in a row.
          if (connections.size() > 1 && connection.output.size() >= piece / 16) break;
        }
        connection.send();
        has_room = has_room || !connection.is_pending();
      }
      hear(false);
      if (!has_room) wait(true);
    }
  }

  // One after the other at its time. It doesn't sleep: waking up would be measured with the rest.
  void send_at_rate(size_t count, double rate, size_t every) {
    const int64_t begin = monotonic();
    for (size_t sent = 0; sent < count;) {
      Connection &connection = connections[sent % connections.size()];
      const int64_t due = begin + int64_t(double(sent) * 1e9 / rate), now = monotonic();
      if (now >= due) {
        // What waits behind a program that doesn't keep up has waited since it was due.
        const bool is_timed = every > 0 && sent % every == 0;
        if (is_timed) messages.append_stamped(connection.output, next_message, connection.is_pending() ? due : now);
        else messages.append(connection.output, next_message);
        next_message++, sent++;
        if (connection.output.size() > (64 << 20)) fail("the program does not keep up with the rate");
      }
      for (Connection &other : connections)
        if (other.is_pending()) other.send();
      hear(true);
      // Where nothing is measured one by one, the processor may be somebody else's.
      if (every == 0 && now < due) {
        timespec rest{0, long(std::min<int64_t>(due - now, 1000000))};
        nanosleep(&rest, nullptr);
      }
    }
  }
};

int64_t quantile(const std::vector<int64_t> &sorted, double part) {
  return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, size_t(part * double(sorted.size())))];
}

}  // namespace

int main(int count_of_arguments, char **arguments) {
  std::map<std::string, std::string> options = {
      {"shape", "price"}, {"keys", "1"}, {"connections", "1"}, {"warm", "20000"}, {"count", "100000"},
      {"rate", "0"},      {"every", "0"}, {"idle", "0"},       {"cert", ""}, {"key", ""},
  };
  int at = 1;
  for (; at + 1 < count_of_arguments && std::string(arguments[at]) != "--"; at += 2) {
    const std::string name = arguments[at];
    if (name.compare(0, 2, "--") != 0 || !options.count(name.substr(2))) fail(("unknown option " + name).c_str());
    options[name.substr(2)] = arguments[at + 1];
  }
  if (at + 1 >= count_of_arguments || std::string(arguments[at]) != "--") fail("name a program behind --");
  const size_t warm = std::stoul(options["warm"]), count = std::stoul(options["count"]);
  const size_t every = std::stoul(options["every"]), number = std::stoul(options["connections"]);
  const double rate = std::stod(options["rate"]);

  std::signal(SIGPIPE, SIG_IGN);
  Listener listener(options["cert"], options["key"]);
  Blast blast;
  blast.messages.make(options["shape"] == "trade", std::stoul(options["keys"]));
  std::atexit(stop_child);
  const int64_t start = monotonic();
  child.start(arguments + at + 1, listener.url());
  for (size_t index = 0; index < number; index++) blast.connections.push_back(listener.accept());
  const int64_t connected = monotonic();
  usleep(useconds_t(std::stoul(options["idle"]) * 1000));
  const long idle_kib = child.private_kib(), written_kib = child.private_kib(true);

  if (rate > 0) blast.send_at_rate(std::max<size_t>(warm, 1), rate, every);
  else blast.send_at_full_speed(warm);
  blast.finish();
  blast.latencies.clear();
  const long warm_kib = child.private_kib();
  const int64_t processor = child.processor_nanoseconds(), begin = monotonic();
  if (rate > 0) blast.send_at_rate(count, rate, every);
  else blast.send_at_full_speed(count);
  blast.finish();
  const int64_t spent = child.processor_nanoseconds() - processor, lasted = monotonic() - begin;
  const long end_kib = child.private_kib();

  std::sort(blast.latencies.begin(), blast.latencies.end());
  std::printf("messages=%zu nanoseconds=%lld processor=%lld connect=%lld idle_kib=%ld written_kib=%ld warm_kib=%ld "
              "end_kib=%ld timed=%zu p50=%lld p99=%lld p999=%lld\n",
              count + number, (long long)lasted, (long long)spent, (long long)(connected - start), idle_kib,
              written_kib, warm_kib, end_kib, blast.latencies.size(), (long long)quantile(blast.latencies, 0.5),
              (long long)quantile(blast.latencies, 0.99), (long long)quantile(blast.latencies, 0.999));
  return std::fflush(stdout) == 0 ? 0 : 1;
}
