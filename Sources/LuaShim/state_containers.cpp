// Making, copying and changing the containers of state. Each change is noted so that it can be taken back.

#include <utility>

#include "state.h"

void StateStore::note(Undo undo) {
  log_.push_back(std::move(undo));
  unsettled_ = true;
}

uint32_t StateStore::make_container(uint32_t owner) {
  uint32_t index;
  if (free_containers_.empty()) {
    index = uint32_t(containers_.size());
    containers_.push_back(new Container());
  } else {
    index = free_containers_.back();
    free_containers_.pop_back();
  }
  Container &made = *containers_[index];
  made.live = true;
  made.attached = false;
  made.tagged_list = false;
  made.owner = owner;
  if (current_ != no_key) {
    fresh_.push_back(index);
    unsettled_ = true;
  }
  return index;
}

uint32_t StateStore::clone(uint32_t index, uint32_t owner) {
  uint32_t copy = make_container(owner);
  size_t bytes = 0;
  containers_[copy]->tagged_list = containers_[index]->tagged_list;
  for (size_t i = 0; i < containers_[index]->size(); i++) {
    Slot item = clone(containers_[index]->item(i), owner);
    bytes += slot_bytes(item);
    containers_[copy]->push(item);
  }
  for (const auto &member : containers_[index]->map) {
    Slot value = clone(member.second, owner);
    bytes += slot_bytes(value) + sizeof(MapKey) + member.first.text.size();
    containers_[copy]->map.emplace(member.first, value);
  }
  resize(owner, 0, bytes);
  return copy;
}

void StateStore::dispose(uint32_t index) {
  Container &gone = *containers_[index];
  if (!gone.live) return;
  gone.live = false;
  gone.generation++;
  size_t bytes = 0;
  for (size_t i = 0; i < gone.size(); i++) {
    bytes += slot_bytes(gone.item(i));
    release(&gone.item(i), no_key);
  }
  for (auto &member : gone.map) {
    bytes += slot_bytes(member.second) + sizeof(MapKey) + member.first.text.size();
    release(&member.second, no_key);
  }
  if (gone.owner != no_key && gone.owner < keys_.size()) resize(gone.owner, bytes, 0);
  gone.clear();
  gone.map.clear();
  free_containers_.push_back(index);
}

void StateStore::attach(const Slot &slot) {
  if (slot.kind == SlotKind::container) containers_[slot.container]->attached = true;
}

void StateStore::detach(const Slot &slot) {
  if (slot.kind != SlotKind::container) return;
  containers_[slot.container]->attached = false;
  detached_.push_back(slot.container);
  unsettled_ = true;
}

void StateStore::push(uint32_t index, Slot value) {
  resize(containers_[index]->owner, 0, slot_bytes(value));
  attach(value);
  containers_[index]->push(value);
  note({UndoKind::push, index, 0, Slot(), MapKey()});
}

void StateStore::set_item(uint32_t index, size_t at, Slot value) {
  Slot &slot = containers_[index]->item(at);
  resize(containers_[index]->owner, slot_bytes(slot), slot_bytes(value));
  detach(slot);
  attach(value);
  note({UndoKind::set_item, index, at, slot, MapKey()});
  slot = value;
}

void StateStore::pop(uint32_t index) {
  Slot old = containers_[index]->pop();
  resize(containers_[index]->owner, slot_bytes(old), 0);
  detach(old);
  note({UndoKind::pop, index, 0, old, MapKey()});
}

void StateStore::insert(uint32_t index, size_t at, Slot value) {
  resize(containers_[index]->owner, 0, slot_bytes(value));
  attach(value);
  containers_[index]->insert(at, value);
  note({UndoKind::insert, index, at, Slot(), MapKey()});
  close_holes(index);
}

void StateStore::remove(uint32_t index, size_t at) {
  Slot old = containers_[index]->remove(at);
  resize(containers_[index]->owner, slot_bytes(old), 0);
  detach(old);
  note({UndoKind::remove, index, at, old, MapKey()});
}

void StateStore::set_member(uint32_t index, const MapKey &key, Slot value) {
  Container &owner = *containers_[index];
  size_t key_bytes = sizeof(MapKey) + key.text.size();
  auto found = owner.map.find(key);
  Slot old;
  if (found != owner.map.end()) {
    old = found->second;
    resize(owner.owner, slot_bytes(old) + key_bytes, 0);
    detach(old);
  } else if (value.kind == SlotKind::absent) {
    return;
  }
  note({UndoKind::set_member, index, 0, old, key});
  if (value.kind == SlotKind::absent) {
    owner.map.erase(found);
    return;
  }
  resize(owner.owner, 0, slot_bytes(value) + key_bytes);
  attach(value);
  if (found != owner.map.end())
    found->second = value;
  else
    owner.map.emplace(key, value);
}

void StateStore::set_integer(uint32_t index, int64_t key, Slot value) {
  Container &owner = *containers_[index];
  int64_t size = int64_t(owner.size());
  if (key >= 1 && key <= size) {
    if (value.kind != SlotKind::absent) {
      set_item(index, size_t(key - 1), value);
    } else if (key == size) {
      pop(index);
    } else {
      // A hole: what stands after it becomes part of the map, as a sparse table's items are.
      std::vector<Slot> moved;
      for (int64_t i = key + 1; i <= size; i++) moved.push_back(clone(owner.item(size_t(i - 1)), owner.owner));
      for (int64_t i = size; i >= key; i--) pop(index);
      for (size_t i = 0; i < moved.size(); i++) {
        MapKey place;
        place.integer = key + 1 + int64_t(i);
        set_member(index, place, moved[i]);
      }
    }
    return;
  }
  MapKey place;
  place.integer = key;
  if (key != size + 1 || value.kind == SlotKind::absent) {
    set_member(index, place, value);
    return;
  }
  set_member(index, place, Slot());
  push(index, value);
  close_holes(index);
}

// Takes over from the map what follows the list now.
void StateStore::close_holes(uint32_t index) {
  const Container &owner = *containers_[index];
  MapKey place;
  while (!owner.map.empty()) {
    place.integer = int64_t(owner.size()) + 1;
    auto next = owner.map.find(place);
    if (next == owner.map.end()) break;
    Slot moved = clone(next->second, owner.owner);
    set_member(index, place, Slot());
    push(index, moved);
  }
}

void StateStore::tag_list(uint32_t index) {
  if (containers_[index]->tagged_list) return;
  containers_[index]->tagged_list = true;
  note({UndoKind::tag, index, 0, Slot(), MapKey()});
}
