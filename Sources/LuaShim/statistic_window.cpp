// Means and deviations: what stands in the window is summed, and each value leaves the sums as it came in.
//
// A zscore's terms are distances from a base near the mean, so that a large offset costs no digits.

#include <algorithm>
#include <cmath>

#include "statistic.h"

void Statistic::fill_entry(double *entry, double value, double weight) const {
  if (spec.over || spec.kind == StatisticKind::rate) *entry++ = memory_.time;
  switch (spec.kind) {
    case StatisticKind::sma:
      if (spec.over) *entry++ = 1;
      *entry = value;
      break;
    case StatisticKind::zscore:
      if (spec.over) *entry++ = 1;
      entry[0] = value;
      if (spec.over) entry[1] = entry[2] = 0;
      break;
    case StatisticKind::vwap:
      entry[0] = value * weight;
      entry[1] = weight;
      break;
    case StatisticKind::rsi:
      entry[0] = std::max(value - memory_.latest, 0.0);
      entry[1] = std::max(memory_.latest - value, 0.0);
      break;
    default: *entry = value;
  }
}

// Adds a value to an entry of a duration's window: entry[0] is the time of its first one.
void Statistic::share_entry(double *entry, double value, double weight) const {
  switch (spec.kind) {
    case StatisticKind::sma:
      entry[1]++;
      entry[2] += value;
      break;
    case StatisticKind::zscore: {
      const double distance = value - entry[2];
      entry[1]++;
      entry[3] += distance;
      entry[4] += distance * distance;
      break;
    }
    case StatisticKind::vwap:
      entry[1] += value * weight;
      entry[2] += weight;
      break;
    case StatisticKind::rsi:
      entry[1] += std::max(value - memory_.latest, 0.0);
      entry[2] += std::max(memory_.latest - value, 0.0);
      break;
    default: break;  // a rate is taken from an entry's first value
  }
}

Statistic::Terms Statistic::terms(const double *entry, double base) const {
  Terms terms;
  switch (spec.kind) {
    case StatisticKind::sma:
      terms.values = spec.over ? entry[1] : 1;
      terms.first.high = spec.over ? entry[2] : entry[0];
      break;
    case StatisticKind::zscore: {
      const Double2 distance = two_sum(spec.over ? entry[2] : entry[0], -base);
      const Double2 square = distance * distance;
      if (spec.over == 0) {
        terms.values = 1;
        terms.first = distance;
        terms.second = square;
        break;
      }
      const Double2 values = {entry[1], 0}, sum = {entry[3], 0}, squares = {entry[4], 0};
      terms.values = entry[1];
      terms.first = values * distance + sum;
      terms.second = values * square + distance * (sum + sum) + squares;
      break;
    }
    case StatisticKind::vwap:
    case StatisticKind::rsi: {
      const bool is_timed = spec.over != 0;
      terms.values = 1;
      terms.first.high = entry[is_timed];
      terms.second.high = entry[is_timed + 1];
      break;
    }
    default: break;
  }
  return terms;
}

void Statistic::put(const Terms &terms, bool in) {
  if (in) {
    memory_.values += terms.values;
    memory_.first.add(terms.first);
    memory_.second.add(terms.second);
  } else {
    memory_.values -= terms.values;
    memory_.first.remove(terms.first);
    memory_.second.remove(terms.second);
  }
}

void Statistic::sum_again() {
  memory_.removed = 0;
  // Twice for a zscore: for the mean, which becomes the base, and for the distances from it.
  for (int pass = spec.kind == StatisticKind::zscore ? 0 : 1; pass < 2; pass++) {
    const bool has_mean = spec.kind == StatisticKind::zscore && pass == 1 && memory_.values > 0;
    memory_.base = has_mean ? (memory_.first.sum / memory_.values).high : 0;
    memory_.values = 0;
    memory_.first = memory_.second = RunningSum();
    for (size_t i = 0; i < entries(); i++) put(terms(entry(i), memory_.base), true);
  }
}

// Whether so little of the sums is spread, and so much distance from the base, that digits are lost.
bool Statistic::is_off_base() const {
  if (spec.kind != StatisticKind::zscore) return false;
  const Double2 shift = memory_.first.sum / memory_.values;
  const Double2 spread = memory_.second.sum + -(shift * memory_.first.sum);
  return shift.high * shift.high * memory_.values > 1e6 * spread.high;
}

size_t Statistic::add_to_window(double value, double weight) {
  const size_t width = spec.width();
  const bool is_summed = spec.kind != StatisticKind::rate;
  size_t touched = 0;
  auto drop_first = [&] {
    touched++;
    if (is_summed) put(terms(entry(0), memory_.base), false);
    memory_.removed++;
    head_ += width;
  };
  while (entries() > 0 && is_expired(entry(0), memory_.time)) drop_first();
  const bool has_no_change = spec.kind == StatisticKind::rsi && memory_.added == 1;
  if (has_no_change) return touched;
  if (is_summed && entries() == 0) {
    sum_again();
    if (spec.kind == StatisticKind::zscore) memory_.base = value;
  }
  if (shares_tail(memory_.time)) {
    double *tail = entry(entries() - 1);
    if (is_summed) put(terms(tail, memory_.base), false);
    share_entry(tail, value, weight);
  } else {
    words_.resize(words_.size() + width);
    fill_entry(entry(entries() - 1), value, weight);
  }
  if (is_summed) put(terms(entry(entries() - 1), memory_.base), true);
  if (spec.count && entries() > spec.count) drop_first();
  if (!is_summed) return touched;
  const bool is_due = memory_.removed >= double(std::max(entries(), size_t(64)));
  if (is_due || memory_.first.is_worn() || memory_.second.is_worn() || is_off_base()) {
    touched += entries();
    sum_again();
  }
  return touched;
}

bool Statistic::window_value(const StatisticMemory &memory, double *result) const {
  const Double2 first = memory.first.sum, second = memory.second.sum;
  switch (spec.kind) {
    case StatisticKind::sma: *result = (first / memory.values).high; return true;
    case StatisticKind::vwap:
      if (!(second.high > 0)) return false;
      *result = (first / second.high).high;
      return true;
    case StatisticKind::rsi: {
      const double all = first.high + second.high;
      *result = all > 0 ? std::min(std::max(100 * first.high / all, 0.0), 100.0) : 50;
      return true;
    }
    case StatisticKind::zscore: {
      if (memory.values < 2) return false;
      const Double2 variance = (second + -(first * first / memory.values)) / (memory.values - 1);
      const Double2 distance = two_sum(memory.latest, -memory.base) + -(first / memory.values);
      *result = variance.high > 0 ? distance.high / std::sqrt(variance.high) : 0;
      return true;
    }
    default: return false;
  }
}
