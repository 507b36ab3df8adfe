// Keys and the slots of their fields.

#include "state.h"

#include <cstdlib>

StateStore::~StateStore() {
  clear();
  for (Slot &slot : defaults) release(&slot, no_key);
  for (Container *container : containers_) delete container;
  for (Statistic *statistic : statistics_) delete statistic;
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

void StateStore::note_dirty(uint32_t key) {
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
  if (slot->kind == SlotKind::statistic) free_statistics_.push_back(slot->statistic);
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
  } else if (slot.kind == SlotKind::statistic) {
    copy.statistic = make_statistic(statistics_[slot.statistic]->spec, owner);
  }
  return copy;
}
