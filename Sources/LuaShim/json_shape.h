// The names of a document and where they stand. A feed's messages mostly have the same ones in the same places: where
// the next document's are those, each is read by comparing a few words, and none can stand twice.

#ifndef LUA_SHIM_JSON_SHAPE_H
#define LUA_SHIM_JSON_SHAPE_H

#include <cstring>

#include "json.h"

// A name as it stands in the text, with its quotes and the colon.
struct json_shape_name {
  static constexpr size_t longest = 32;
  uint64_t words[4], masks[4];  // what isn't the name's is zero
  uint64_t place;
  json_node node;   // but for its start
  uint32_t length;

  // A node's number and that of the object it is in.
  static uint64_t place_of(uint32_t node, uint32_t object) { return uint64_t(object) << 32 | node; }
  static constexpr uint64_t nowhere = UINT64_MAX;

  // Whether it stands at p, of a text that 16 readable bytes follow. The second half is read where the first was the
  // same, which lies within the text then.
  bool stands_at(const unsigned char *p) const {
    uint64_t found[2];
    std::memcpy(found, p, sizeof found);
    if (((found[0] ^ words[0]) & masks[0]) | ((found[1] ^ words[1]) & masks[1])) return false;
    if (length <= sizeof found) return true;
    std::memcpy(found, p + sizeof found, sizeof found);
    return !(((found[0] ^ words[2]) & masks[2]) | ((found[1] ^ words[3]) & masks[3]));
  }
};

struct json_shape {
  static constexpr uint32_t most_nodes = 256;
  static constexpr int trusted = 64, new_trust = 4;
  uint64_t id;  // 0 where there is none; no two are alike
  int trust;    // how many documents of other shapes it outlasts
  uint32_t capacity;
  json_shape_name names[1];  // in the order of the nodes; behind the last one of no node
};

// Has a tree's shape follow the documents: one of another shape is as likely the exception as the new rule.
void json_shape_follow(json_tree *tree, const json_node *root, const char *text, bool same);

#endif
