// A list part and a map part, and the order of a map's keys.

#include <algorithm>

#include "state.h"

bool MapKeyLess::operator()(const MapKey &a, const MapKey &b) const {
  bool text_a = a.rank == 3, text_b = b.rank == 3;
  if (text_a || text_b) {
    if (text_a != text_b) return text_b;
    size_t common = std::min(a.text.size(), b.text.size());
    int order = std::memcmp(a.text.data(), b.text.data(), common);
    return order != 0 ? order < 0 : a.text.size() < b.text.size();
  }
  bool bool_a = a.rank == 2, bool_b = b.rank == 2;
  if (bool_a || bool_b) return bool_a != bool_b ? bool_b : a.integer < b.integer;
  if (a.rank == 0 && b.rank == 0) return a.integer < b.integer;
  long double left = a.rank == 0 ? (long double)a.integer : (long double)a.number;
  long double right = b.rank == 0 ? (long double)b.integer : (long double)b.number;
  return left < right;
}

Slot Container::pop() {
  Slot slot = items_.back();
  items_.pop_back();
  if (items_.size() == head_) clear();
  return slot;
}

void Container::insert(size_t index, Slot slot) {
  if (index == 0 && head_ > 0) {
    items_[--head_] = slot;
  } else {
    items_.insert(items_.begin() + long(head_ + index), slot);
  }
}

Slot Container::remove(size_t index) {
  Slot slot = item(index);
  if (index == 0) {
    head_++;
    if (head_ == items_.size()) {
      clear();
    } else if (head_ > 64 && head_ > items_.size() / 2) {
      items_.erase(items_.begin(), items_.begin() + long(head_));
      head_ = 0;
    }
  } else {
    items_.erase(items_.begin() + long(head_ + index));
  }
  return slot;
}

void Container::clear() {
  items_.clear();
  head_ = 0;
}
