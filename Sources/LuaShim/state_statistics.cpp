// The statistics of state: made with their key, touched by one handler at a time.

#include <utility>

#include "state.h"

uint32_t StateStore::make_statistic(const StatisticSpec &spec, uint32_t owner) {
  uint32_t index;
  if (free_statistics_.empty()) {
    index = uint32_t(statistics_.size());
    statistics_.push_back(new Statistic(spec));
  } else {
    index = free_statistics_.back();
    free_statistics_.pop_back();
    *statistics_[index] = Statistic(spec);
  }
  statistics_[index]->owner = owner;
  resize(owner, 0, statistics_[index]->bytes());
  return index;
}

Statistic &StateStore::touch(uint32_t index) {
  Statistic &statistic = *statistics_[index];
  if (!statistic.touched) {
    statistic.touched = true;
    marks_.push_back(statistic.mark(index));
    unsettled_ = true;
  }
  return statistic;
}

size_t StateStore::add_to_statistic(uint32_t index, double time, double value, double weight) {
  Statistic &statistic = touch(index);
  const size_t before = statistic.bytes(), touched = statistic.add(time, value, weight);
  resize(statistic.owner, before, statistic.bytes());
  return touched;
}

void StateStore::reset_statistic(uint32_t index) {
  Statistic &statistic = touch(index);
  const size_t before = statistic.bytes();
  statistic.reset();
  resize(statistic.owner, before, statistic.bytes());
}

bool StateStore::load_statistic(uint32_t index, const StatisticMemory &memory, std::vector<double> window) {
  Statistic &statistic = *statistics_[index];
  const size_t before = statistic.bytes();
  if (!statistic.load(memory, std::move(window))) return false;
  resize(statistic.owner, before, statistic.bytes());
  return true;
}
