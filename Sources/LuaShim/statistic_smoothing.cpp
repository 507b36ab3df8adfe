// Averages without a window: each value moves them by a part of its distance.

#include <algorithm>
#include <cmath>

#include "statistic.h"

void Statistic::smooth_ema(double value, double time_before) {
  if (spec.count) {
    if (memory_.added > double(spec.count)) {
      memory_.gain += 2 / (double(spec.count) + 1) * (value - memory_.gain);
      return;
    }
    // The first ones count alike.
    memory_.first.add({value, 0});
    memory_.gain = (memory_.first.sum / memory_.added).high;
    return;
  }
  if (memory_.time == memory_.since) {
    memory_.gain = value;
    return;
  }
  // Of values at one instant the last counts.
  if (memory_.time > time_before) {
    memory_.base = memory_.gain;
    memory_.base_time = time_before;
  }
  const double part = -std::expm1((memory_.base_time - memory_.time) / double(spec.over));
  memory_.gain = memory_.base + part * (value - memory_.base);
}

void Statistic::smooth_rsi(double value) {
  const double changes = memory_.added - 1, count = spec.count;
  if (changes == 0) return;
  const double gain = std::max(value - memory_.latest, 0.0), loss = std::max(memory_.latest - value, 0.0);
  if (changes > count) {
    memory_.gain += (gain - memory_.gain) / count;
    memory_.loss += (loss - memory_.loss) / count;
    return;
  }
  memory_.first.add({gain, 0});
  memory_.second.add({loss, 0});
  memory_.gain = (memory_.first.sum / changes).high;
  memory_.loss = (memory_.second.sum / changes).high;
}

bool Statistic::smoothed_value(double *result) const {
  if (spec.kind == StatisticKind::ema) {
    *result = memory_.gain;
    return true;
  }
  const double all = memory_.gain + memory_.loss;
  *result = all > 0 ? 100 * memory_.gain / all : 50;
  return true;
}
