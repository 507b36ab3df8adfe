// One handler's changes: begun, and then kept or taken back as a whole.

#include <cstdlib>

#include "state.h"

void StateStore::dispose_detached() {
  for (uint32_t index : detached_)
    if (!containers_[index]->attached) dispose(index);
  detached_.clear();
  for (uint32_t index : fresh_)
    if (!containers_[index]->attached) dispose(index);
  fresh_.clear();
}

void StateStore::settle() {
  for (Undo &undo : log_)
    if (undo.old.kind == SlotKind::text) std::free(undo.old.text);
  log_.clear();
  dispose_detached();
  for (const StatisticMark &mark : marks_) {
    statistics_[mark.statistic]->settle();
    statistics_[mark.statistic]->touched = false;
  }
  marks_.clear();
  unsettled_ = false;
}

void StateStore::undo() {
  for (auto entry = log_.rbegin(); entry != log_.rend(); ++entry) {
    Container &owner = *containers_[entry->container];
    Slot gone;
    switch (entry->kind) {
      case UndoKind::push: gone = owner.pop(); break;
      case UndoKind::pop: owner.push(entry->old); break;
      case UndoKind::insert: gone = owner.remove(entry->index); break;
      case UndoKind::remove: owner.insert(entry->index, entry->old); break;
      case UndoKind::set_item:
        gone = owner.item(entry->index);
        owner.item(entry->index) = entry->old;
        break;
      case UndoKind::set_member: {
        auto found = owner.map.find(entry->member);
        if (found != owner.map.end()) {
          gone = found->second;
          owner.map.erase(found);
        }
        if (entry->old.kind != SlotKind::absent) owner.map.emplace(entry->member, entry->old);
        break;
      }
      case UndoKind::tag: owner.tagged_list = false; break;
    }
    if (gone.kind == SlotKind::text) std::free(gone.text);
    if (gone.kind == SlotKind::container) containers_[gone.container]->attached = false;
    attach(entry->old);
  }
  log_.clear();
  detached_.clear();
  for (uint32_t index : fresh_) dispose(index);
  fresh_.clear();
  for (const StatisticMark &mark : marks_) {
    statistics_[mark.statistic]->restore(mark);
    statistics_[mark.statistic]->touched = false;
  }
  marks_.clear();
  unsettled_ = false;
  if (current_ != no_key) {
    keys_[current_].bytes = saved_bytes_;
    total_bytes = saved_total_;
  }
  current_ = no_key;
}
