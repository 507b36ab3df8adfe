// What scripts keep: plain data in the host's memory, outside of every VM, with an undo log.
//
// A VM's tables are only a view that is filled when a handler runs. So a VM can be dropped at any moment without
// losing what was accepted, and a failed handler is undone by forgetting what it did to the view.

#ifndef LUA_SHIM_STATE_H
#define LUA_SHIM_STATE_H

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "LuaShim.h"
#include "statistic.h"

// Bytes that belong to one slot.
struct Text {
  uint32_t count;
  char bytes[1];
};

enum class SlotKind : uint8_t { absent, null, no, yes, integer, number, text, container, statistic };

// One value. Who holds a slot owns its text; containers and statistics are named by index and owned by the store.
struct Slot {
  SlotKind kind = SlotKind::absent;
  union {
    int64_t integer;
    double number;
    Text *text;
    uint32_t container;
    uint32_t statistic;
  };
  Slot() : integer(0) {}
};

// A key of a map: numbers before booleans before text; numbers by value, text by bytes.
struct MapKey {
  uint8_t rank = 0;  // 0 integer, 1 number, 2 boolean, 3 text
  int64_t integer = 0;
  double number = 0;
  std::string text;
};
struct MapKeyLess {
  bool operator()(const MapKey &a, const MapKey &b) const;
};

// A list part and a map part, like a table's.
struct Container {
  uint32_t generation = 0;
  uint32_t owner = 0;  // key whose size it counts to
  bool live = false;
  bool attached = false;
  bool tagged_list = false;  // an empty one is [] rather than {}
  std::map<MapKey, Slot, MapKeyLess> map;

  size_t size() const { return items_.size() - head_; }
  Slot &item(size_t index) { return items_[head_ + index]; }
  const Slot &item(size_t index) const { return items_[head_ + index]; }
  void push(Slot slot) { items_.push_back(slot); }
  Slot pop();
  void insert(size_t index, Slot slot);
  Slot remove(size_t index);  // at the front in constant time: a window moves for free
  void clear();

 private:
  std::vector<Slot> items_;
  size_t head_ = 0;
};

enum class UndoKind : uint8_t { set_item, push, pop, insert, remove, set_member, tag };

// How to take one change back. Owns the slot it would restore.
struct Undo {
  UndoKind kind;
  uint32_t container;
  size_t index;
  Slot old;
  MapKey member;
};

// The state of one key.
struct KeyState {
  std::string name;
  Slot *slots = nullptr;  // one a declared field
  size_t bytes = 0;
  bool dirty = false;
};

// All keys of one script.
class StateStore {
 public:
  StateStore() = default;
  StateStore(const StateStore &) = delete;
  StateStore &operator=(const StateStore &) = delete;
  ~StateStore();

  std::vector<std::string> fields;  // sorted by bytes
  std::vector<Slot> defaults;       // owner: no key
  size_t key_limit = 0, total_limit = 0, total_bytes = 0;

  // Index of a field, -1 for none.
  int field(const char *name, size_t length) const;
  uint32_t find_or_make(const char *name, size_t length);
  KeyState &key(uint32_t index) { return keys_[index]; }
  const KeyState &key(uint32_t index) const { return keys_[index]; }
  uint32_t count() const { return uint32_t(keys_.size()); }

  void mark_dirty(uint32_t key) {
    if (!keys_[key].dirty) note_dirty(key);
  }
  std::vector<uint32_t> take_dirty();
  bool has_dirty() const { return !dirty_.empty(); }
  uint32_t dirty_count() const { return uint32_t(dirty_.size()); }
  // Forgets all keys (their slots too); for a file that declares its fields anew.
  void clear();

  // Changes belong to the running handler until one of these is called.
  void begin(uint32_t key) {
    current_ = key;
    saved_bytes_ = keys_[key].bytes;
    saved_total_ = total_bytes;
  }
  void accept() {
    if (unsettled_) settle();
    current_ = no_key;
  }
  void undo();
  bool over_limit(uint32_t key, size_t extra) const {
    return keys_[key].bytes + extra > key_limit || total_bytes + extra > total_limit;
  }
  bool changed() const { return unsettled_; }

  // Slots. `replace` frees the old value.
  void set_text(Slot *slot, const char *bytes, size_t length, uint32_t owner);
  void release(Slot *slot, uint32_t owner);
  void release_all(std::vector<Slot> &slots);  // frees their texts; containers belong to the running handler
  void set_field(uint32_t key, uint32_t field, Slot value);  // of the running handler, just before it is accepted
  size_t slot_bytes(const Slot &slot) const;

  // Containers.
  static constexpr uint32_t no_key = UINT32_MAX;
  uint32_t make_container(uint32_t owner);
  Container &container(uint32_t index) { return *containers_[index]; }
  const Container &container(uint32_t index) const { return *containers_[index]; }
  bool valid(uint32_t index, uint32_t generation) const {
    return index < containers_.size() && containers_[index]->live && containers_[index]->generation == generation;
  }
  uint32_t clone(uint32_t container, uint32_t owner);
  Slot clone(const Slot &slot, uint32_t owner);
  // Each takes the slot over and writes the undo log.
  void push(uint32_t container, Slot value);
  void set_item(uint32_t container, size_t index, Slot value);  // index < size
  void pop(uint32_t container);
  void insert(uint32_t container, size_t index, Slot value);
  void remove(uint32_t container, size_t index);
  void set_member(uint32_t container, const MapKey &key, Slot value);  // absent removes
  // Stores under an integer key the way a table does: in the list part while it has no holes.
  void set_integer(uint32_t container, int64_t key, Slot value);
  void tag_list(uint32_t container);

  // Statistics live as long as their key. Only those of the running handler's key may be touched.
  uint32_t make_statistic(const StatisticSpec &spec, uint32_t owner);
  const Statistic &statistic(uint32_t index) const { return *statistics_[index]; }
  size_t add_to_statistic(uint32_t index, double time, double value, double weight);
  void reset_statistic(uint32_t index);
  bool load_statistic(uint32_t index, const StatisticMemory &memory, std::vector<double> window);

  // JSON, appended to out.
  void write_slot(const Slot &slot, std::string &out) const;
  void write_statistic(const Statistic &statistic, std::string &out) const;
  void write_row(uint32_t key, std::string &out) const;

 private:
  void note_dirty(uint32_t key);
  void note(Undo undo);
  Statistic &touch(uint32_t statistic);
  void close_holes(uint32_t container);
  void detach(const Slot &slot);
  void attach(const Slot &slot);
  void dispose(uint32_t container);
  void dispose_detached();
  void settle();
  void resize(uint32_t owner, size_t removed, size_t added);

  std::vector<KeyState> keys_;
  std::vector<uint32_t> table_;  // open addressing over keys_, index + 1
  std::vector<uint32_t> dirty_;
  std::vector<Container *> containers_;
  std::vector<uint32_t> free_containers_;
  std::vector<Undo> log_;
  std::vector<uint32_t> fresh_;     // made by the running handler
  std::vector<uint32_t> detached_;  // taken out of the tree by the running handler
  std::vector<Statistic *> statistics_;
  std::vector<uint32_t> free_statistics_;
  std::vector<StatisticMark> marks_;  // of what the running handler touched
  bool unsettled_ = false;            // the running handler changed something below a field
  uint32_t current_ = no_key;
  size_t saved_bytes_ = 0, saved_total_ = 0;
};

void append_json_text(std::string &out, const char *bytes, size_t length);

#endif
