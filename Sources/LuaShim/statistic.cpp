// What all statistics have in common: their windows, taking values in, and undo.

#include "statistic.h"

#include <algorithm>
#include <cstring>

const char *const statistic_names[statistic_kinds] = {"sma", "ema", "min", "max", "vwap", "rsi", "rate", "zscore"};

size_t StatisticSpec::width() const {
  switch (kind) {
    case StatisticKind::sma: return count ? 1 : 3;     // value, or time, values, sum
    case StatisticKind::vwap: return count ? 2 : 3;    // or with the time: price times volume, volume
    case StatisticKind::zscore: return count ? 1 : 5;  // value, or time, values, first, and sums of distances from it
    case StatisticKind::rsi: return count ? 0 : 3;     // time, gain, loss
    case StatisticKind::min:
    case StatisticKind::max:
    case StatisticKind::rate: return 2;  // time or position, value
    case StatisticKind::ema: return 0;
  }
  return 0;
}

size_t StatisticSpec::largest_bytes() const {
  return (count ? size_t(count) + 1 : size_t(2 * parts + 1)) * width() * sizeof(double);
}

bool Statistic::is_expired(const double *entry, double time) const {
  if (spec.over == 0) return false;
  const double start = time - double(spec.over);
  // A rate is taken from the value at the window's start.
  return spec.kind == StatisticKind::rate ? entry[0] < start : entry[0] <= start;
}

size_t Statistic::first_live(double time) const {
  const size_t count = entries();
  size_t first = 0;
  while (first < count && is_expired(entry(first), time)) first++;
  return first;
}

bool Statistic::shares_tail(double time) const {
  if (spec.over == 0 || entries() == 0) return false;
  return time - entry(entries() - 1)[0] < double(std::max(spec.over / StatisticSpec::parts, int64_t(1)));
}

bool Statistic::is_warm(double time) const {
  if (spec.over) return memory_.added > 0 && time - memory_.since >= double(spec.over);
  const bool needs_changes = spec.kind == StatisticKind::rsi;
  return memory_.added >= double(spec.count) + needs_changes;
}

size_t Statistic::add(double time, double value, double weight) {
  const double before = memory_.time;
  if (memory_.added == 0) memory_.since = memory_.time = time;
  if (time > memory_.time) memory_.time = time;
  memory_.added++;
  size_t touched = 0;
  switch (spec.kind) {
    case StatisticKind::min:
    case StatisticKind::max: touched = add_extreme(value); break;
    case StatisticKind::ema: smooth_ema(value, before); break;
    case StatisticKind::rsi:
      if (spec.count) {
        smooth_rsi(value);
        break;
      }
      [[fallthrough]];
    default: touched = add_to_window(value, weight);
  }
  memory_.latest = value;
  return touched;
}

bool Statistic::value(double time, double *result) const {
  time = std::max(time, memory_.time);
  if (!is_warm(time)) return false;
  if (spec.width() == 0) return smoothed_value(result);
  const size_t first = first_live(time), count = entries();
  if (first == count) return false;
  switch (spec.kind) {
    case StatisticKind::min:
    case StatisticKind::max: *result = entry(first)[1]; return true;
    case StatisticKind::rate: {
      const double *oldest = entry(first);
      if (memory_.time <= oldest[0]) return false;
      *result = (memory_.latest - oldest[1]) / (memory_.time - oldest[0]) * double(spec.per);
      return true;
    }
    default: break;
  }
  if (first == 0) return window_value(memory_, result);
  // Some have expired since the last value came: what is left is summed without touching the statistic.
  StatisticMemory left = memory_;
  left.first = left.second = RunningSum();
  left.values = 0;
  for (size_t i = first; i < count; i++) {
    const Terms terms = this->terms(entry(i), left.base);
    left.values += terms.values;
    left.first.add(terms.first);
    left.second.add(terms.second);
  }
  return window_value(left, result);
}

size_t Statistic::walked(double time) const {
  return entries() > 0 && is_expired(entry(0), time) ? entries() : 0;
}

void Statistic::reset() {
  // The window leaves by its head, so that a mark can bring it back.
  memory_ = StatisticMemory();
  head_ = words_.size();
}

StatisticMark Statistic::mark(uint32_t index) const {
  StatisticMark mark{index, memory_, head_, words_.size(), {}};
  if (entries() > 0) std::memcpy(mark.tail, entry(entries() - 1), spec.width() * sizeof(double));
  return mark;
}

void Statistic::restore(const StatisticMark &mark) {
  memory_ = mark.memory;
  head_ = mark.head;
  if (!taken_.empty()) {
    // Entry by entry, the last taken first.
    words_.resize(untouched_);
    for (size_t at = taken_.size(); at > 0; at -= spec.width())
      words_.insert(words_.end(), taken_.begin() + long(at - spec.width()), taken_.begin() + long(at));
    taken_.clear();
  }
  words_.resize(mark.size);
  if (entries() > 0) std::memcpy(entry(entries() - 1), mark.tail, spec.width() * sizeof(double));
}

void Statistic::settle() {
  taken_.clear();
  if (taken_.capacity() > 64) taken_.shrink_to_fit();
  if (head_ == words_.size()) {
    words_.clear();
    head_ = 0;
  } else if (head_ > 64 && head_ > words_.size() / 2) {
    words_.erase(words_.begin(), words_.begin() + long(head_));
    head_ = 0;
  }
}

bool Statistic::load(const StatisticMemory &memory, std::vector<double> window) {
  const size_t width = spec.width();
  if (width == 0 ? !window.empty() : window.size() % width != 0) return false;
  if (window.size() * sizeof(double) > spec.largest_bytes()) return false;
  if (!(memory.added >= 0 && memory.values >= 0)) return false;
  const bool is_ordered = width > 1 && !(spec.kind == StatisticKind::vwap && spec.count);
  for (size_t i = width; is_ordered && i < window.size(); i += width)
    if (window[i] < window[i - width]) return false;
  memory_ = memory;
  words_ = std::move(window);
  head_ = 0;
  return true;
}
