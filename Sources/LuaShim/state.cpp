#include "state.h"

#include <algorithm>
#include <cstdlib>

#include "json.h"

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

StateStore::~StateStore() {
  clear();
  for (Slot &slot : defaults) release(&slot, no_key);
  for (Container *container : containers_) delete container;
}

void StateStore::clear() {
  accept();
  for (KeyState &key : keys_) {
    for (size_t i = 0; key.slots && i < fields.size(); i++) release(&key.slots[i], no_key);
    delete[] key.slots;
  }
  keys_.clear();
  table_.clear();
  dirty_.clear();
  total_bytes = 0;
}

int StateStore::field(const char *name, size_t length) const {
  for (size_t i = 0; i < fields.size(); i++)
    if (fields[i].size() == length && std::memcmp(fields[i].data(), name, length) == 0) return int(i);
  return -1;
}

// --- Keys

static uint64_t hash_bytes(const char *bytes, size_t length) {
  uint64_t hash = 0x9E3779B97F4A7C15ull ^ length;
  while (length >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
    hash ^= hash >> 32;
    bytes += 8;
    length -= 8;
  }
  uint64_t word = 0;
  std::memcpy(&word, bytes, length);
  hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
  return hash ^ hash >> 32;
}

uint32_t StateStore::find_or_make(const char *name, size_t length) {
  if (keys_.size() * 2 >= table_.size()) {
    size_t size = table_.empty() ? 16 : table_.size() * 2;
    table_.assign(size, 0);
    for (size_t i = 0; i < keys_.size(); i++) {
      size_t at = hash_bytes(keys_[i].name.data(), keys_[i].name.size()) & (size - 1);
      while (table_[at]) at = (at + 1) & (size - 1);
      table_[at] = uint32_t(i + 1);
    }
  }
  size_t mask = table_.size() - 1, at = hash_bytes(name, length) & mask;
  for (; table_[at]; at = (at + 1) & mask) {
    const KeyState &key = keys_[table_[at] - 1];
    if (key.name.size() == length && std::memcmp(key.name.data(), name, length) == 0) return table_[at] - 1;
  }
  uint32_t index = uint32_t(keys_.size());
  keys_.emplace_back();
  keys_.back().name.assign(name, length);
  table_[at] = index + 1;
  KeyState &key = keys_.back();
  key.slots = new Slot[fields.size() ? fields.size() : 1];
  for (size_t i = 0; i < fields.size(); i++) {
    Slot slot = clone(defaults[i], index);
    keys_[index].slots[i] = slot;
    size_t bytes = slot_bytes(slot);
    keys_[index].bytes += bytes;
    total_bytes += bytes;
  }
  return index;
}

void StateStore::mark_dirty(uint32_t key) {
  if (keys_[key].dirty) return;
  keys_[key].dirty = true;
  dirty_.push_back(key);
}

std::vector<uint32_t> StateStore::take_dirty() {
  std::vector<uint32_t> taken;
  taken.swap(dirty_);
  for (uint32_t key : taken) keys_[key].dirty = false;
  return taken;
}

// --- Slots

size_t StateStore::slot_bytes(const Slot &slot) const {
  return sizeof(Slot) + (slot.kind == SlotKind::text ? slot.text->count : 0);
}

void StateStore::resize(uint32_t owner, size_t removed, size_t added) {
  if (owner == no_key) return;
  keys_[owner].bytes += added - removed;
  total_bytes += added - removed;
}

void StateStore::set_text(Slot *slot, const char *bytes, size_t length, uint32_t owner) {
  auto text = static_cast<Text *>(std::malloc(sizeof(Text) + length));
  if (!text) std::abort();
  text->count = uint32_t(length);
  std::memcpy(text->bytes, bytes, length);
  release(slot, owner);
  slot->kind = SlotKind::text;
  slot->text = text;
}

void StateStore::release(Slot *slot, uint32_t) {
  if (slot->kind == SlotKind::text) std::free(slot->text);
  if (slot->kind == SlotKind::container) dispose(slot->container);
  slot->kind = SlotKind::absent;
  slot->integer = 0;
}

void StateStore::release_all(std::vector<Slot> &slots) {
  for (Slot &slot : slots)
    if (slot.kind == SlotKind::text) std::free(slot.text);
  slots.clear();
}

void StateStore::set_field(uint32_t index, uint32_t field, Slot value) {
  Slot &slot = keys_[index].slots[field];
  resize(index, slot_bytes(slot), slot_bytes(value));
  if (slot.kind == SlotKind::text) std::free(slot.text);
  detach(slot);
  attach(value);
  slot = value;
}

Slot StateStore::clone(const Slot &slot, uint32_t owner) {
  Slot copy = slot;
  if (slot.kind == SlotKind::text) {
    copy.kind = SlotKind::absent;
    set_text(&copy, slot.text->bytes, slot.text->count, owner);
  } else if (slot.kind == SlotKind::container) {
    copy.container = clone(slot.container, owner);
    containers_[copy.container]->attached = true;
  }
  return copy;
}

// --- Containers

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
  if (current_ != no_key) fresh_.push_back(index);
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
}

void StateStore::push(uint32_t index, Slot value) {
  resize(containers_[index]->owner, 0, slot_bytes(value));
  attach(value);
  containers_[index]->push(value);
  log_.push_back({UndoKind::push, index, 0, Slot(), MapKey()});
}

void StateStore::set_item(uint32_t index, size_t at, Slot value) {
  Slot &slot = containers_[index]->item(at);
  resize(containers_[index]->owner, slot_bytes(slot), slot_bytes(value));
  detach(slot);
  attach(value);
  log_.push_back({UndoKind::set_item, index, at, slot, MapKey()});
  slot = value;
}

void StateStore::pop(uint32_t index) {
  Slot old = containers_[index]->pop();
  resize(containers_[index]->owner, slot_bytes(old), 0);
  detach(old);
  log_.push_back({UndoKind::pop, index, 0, old, MapKey()});
}

void StateStore::insert(uint32_t index, size_t at, Slot value) {
  resize(containers_[index]->owner, 0, slot_bytes(value));
  attach(value);
  containers_[index]->insert(at, value);
  log_.push_back({UndoKind::insert, index, at, Slot(), MapKey()});
}

void StateStore::remove(uint32_t index, size_t at) {
  Slot old = containers_[index]->remove(at);
  resize(containers_[index]->owner, slot_bytes(old), 0);
  detach(old);
  log_.push_back({UndoKind::remove, index, at, old, MapKey()});
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
  log_.push_back({UndoKind::set_member, index, 0, old, key});
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
  // The hole may be closed now: take what follows over from the map.
  for (;;) {
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
  log_.push_back({UndoKind::tag, index, 0, Slot(), MapKey()});
}

// --- One handler's changes

void StateStore::begin(uint32_t key) {
  current_ = key;
  saved_bytes_ = keys_[key].bytes;
  saved_total_ = total_bytes;
}

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
  if (current_ != no_key) {
    keys_[current_].bytes = saved_bytes_;
    total_bytes = saved_total_;
  }
  current_ = no_key;
}
