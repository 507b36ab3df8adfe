// Statistics of state: numbers come in one by one, and a window of them stands ready as one value.
//
// Each takes constant time a value, amortised, and is kept as plain numbers: a memory of fixed size and a window.
// An expiring value leaves the sums again; sums that lost their digits are summed anew (see running_sum.h).

#ifndef LUA_SHIM_STATISTIC_H
#define LUA_SHIM_STATISTIC_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "running_sum.h"

enum class StatisticKind : uint8_t { sma, ema, min, max, vwap, rsi, rate, zscore };
constexpr int statistic_kinds = 8;
extern const char *const statistic_names[statistic_kinds];

// What a script declares: a kind, and the window as a number of values or as a duration; the other is 0.
struct StatisticSpec {
  StatisticKind kind = StatisticKind::sma;
  uint32_t count = 0;
  int64_t over = 0;    // milliseconds
  int64_t per = 1000;  // of a rate, milliseconds

  static constexpr uint32_t largest_count = 100000;
  // Values of a duration that come closer together than this part of it share an entry.
  static constexpr int64_t parts = 1024;

  size_t width() const;          // doubles of one entry of the window, 0 for none
  size_t largest_bytes() const;  // that the window may take
};

// What a statistic knows besides its window. Doubles only: the row that storage keeps lists them.
struct StatisticMemory {
  double added = 0;      // values since the start
  double since = 0;      // time of the first one
  double time = 0;       // the newest time seen: it never goes back
  double latest = 0;     // the newest value
  double removed = 0;    // entries that left since the last summing
  double values = 0;     // in the window
  double base = 0;       // what the terms of a zscore are taken from; an ema before the instant in hand
  double base_time = 0;  // of that instant before
  double gain = 0;       // the smoothed value of an ema, the average gain of an rsi
  double loss = 0;
  RunningSum first, second;
};
constexpr size_t statistic_memory_size = sizeof(StatisticMemory) / sizeof(double);

// A statistic as it was before the running handler touched it.
struct StatisticMark {
  uint32_t statistic;
  StatisticMemory memory;
  size_t head, size;
  double tail[5];
};

class Statistic {
 public:
  static constexpr double largest_value = 1e100;  // sums of squares of these can't overflow

  StatisticSpec spec;
  uint32_t owner = 0;  // key whose size it counts to
  bool touched = false;

  explicit Statistic(const StatisticSpec &spec) : spec(spec) {}

  // Values are at most largest_value in size, weights not negative.
  // Returns how many entries of the window it had to touch besides the new one.
  size_t add(double time, double value, double weight);
  // False while there is none: too few values yet, or none of them within the window any more.
  bool value(double time, double *result) const;
  void reset();
  double added() const { return memory_.added; }
  double time() const { return memory_.time; }
  // Entries that a call of `value` would have to walk.
  size_t walked(double time) const;
  size_t bytes() const { return sizeof(Statistic) + (words_.size() - head_) * sizeof(double); }

  // Undo; a mark is taken before the first change of a handler.
  StatisticMark mark(uint32_t index) const;
  void restore(const StatisticMark &mark);
  void settle();

  // Plain data (statistic_row.cpp).
  const StatisticMemory &memory() const { return memory_; }
  const double *window() const { return words_.data() + head_; }
  size_t window_size() const { return words_.size() - head_; }
  bool load(const StatisticMemory &memory, std::vector<double> window);  // false for what can't be

 private:
  struct Terms {
    double values = 0;
    Double2 first, second;
  };

  size_t entries() const { return spec.width() ? (words_.size() - head_) / spec.width() : 0; }
  double *entry(size_t index) { return words_.data() + head_ + index * spec.width(); }
  const double *entry(size_t index) const { return words_.data() + head_ + index * spec.width(); }
  bool is_expired(const double *entry, double time) const;
  size_t first_live(double time) const;
  bool shares_tail(double time) const;
  bool is_warm(double time) const;

  // statistic_window.cpp
  size_t add_to_window(double value, double weight);
  void fill_entry(double *entry, double value, double weight) const;
  void share_entry(double *entry, double value, double weight) const;
  Terms terms(const double *entry, double base) const;
  void put(const Terms &terms, bool in);
  void sum_again();
  bool is_off_base() const;
  bool window_value(const StatisticMemory &memory, double *result) const;

  // statistic_extremes.cpp
  size_t add_extreme(double value);

  // statistic_smoothing.cpp
  void smooth_ema(double value, double time_before);
  void smooth_rsi(double value);
  bool smoothed_value(double *result) const;

  StatisticMemory memory_;
  std::vector<double> words_;
  size_t head_ = 0;  // words before it have expired
  // Entries of an extreme that the running handler took from the end, and how much of the old ones is left.
  std::vector<double> taken_;
  size_t untouched_ = 0;
};

#endif
