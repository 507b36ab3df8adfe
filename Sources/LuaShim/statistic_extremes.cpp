// The smallest or the largest of a window: only values that may still become it are kept, in falling order of rank.

#include "statistic.h"

size_t Statistic::add_extreme(double value) {
  const size_t width = spec.width();
  size_t touched = 0;
  const double place = spec.over ? memory_.time : memory_.added;
  while (entries() > 0) {
    const bool is_gone = spec.over ? is_expired(entry(0), place) : entry(0)[0] <= place - double(spec.count);
    if (!is_gone) break;
    head_ += width;
    touched++;
  }
  if (taken_.empty()) untouched_ = words_.size();
  while (entries() > 0) {
    const double *last = entry(entries() - 1);
    const bool is_beaten = spec.kind == StatisticKind::min ? value <= last[1] : value >= last[1];
    if (!is_beaten) break;
    if (words_.size() <= untouched_) {
      taken_.insert(taken_.end(), last, last + width);
      untouched_ = words_.size() - width;
    }
    words_.resize(words_.size() - width);
    touched++;
  }
  if (shares_tail(place)) return touched;
  words_.push_back(place);
  words_.push_back(value);
  return touched;
}
