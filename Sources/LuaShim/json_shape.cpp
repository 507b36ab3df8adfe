#include "json_shape.h"

#include <atomic>
#include <cstdlib>

static std::atomic<uint64_t> shapes_learned{0};

// Notes below which object each name stands, as its node and one; false for what is no shape.
static bool find_parents(const json_node *root, uint32_t *parents) {
  for (uint32_t node = 0; node < root->next; node++) {
    if (root[node].type != JSON_OBJECT) continue;
    if (root[node].flags & JSON_DUPLICATES) return false;
    for (uint32_t member = node + 1; member < root[node].next; member = root[member + 1].next) {
      if (root[member].length + 3 > json_shape_name::longest) return false;
      parents[member] = node + 1;
    }
  }
  return true;
}

// Makes room for so many names and an end; false where there is no memory.
static bool reserve(json_tree *tree, uint32_t count) {
  if (tree->shape && tree->shape->capacity >= count) return true;
  auto made = static_cast<json_shape *>(std::realloc(tree->shape, sizeof(json_shape) + count * sizeof(json_shape_name)));
  if (!made) return false;
  made->capacity = count;
  tree->shape = made;
  return true;
}

static void take_name(json_shape_name *name, const json_node *root, uint32_t node, uint32_t parent, const char *text) {
  char bytes[json_shape_name::longest] = {}, mask[json_shape_name::longest] = {};
  const uint32_t length = root[node].length + 3;
  bytes[0] = bytes[length - 2] = '"';
  bytes[length - 1] = ':';
  std::memcpy(bytes + 1, text + root[node].start, root[node].length);
  std::memset(mask, 0xFF, length);
  *name = {{}, {}, json_shape_name::place_of(node, parent), {0, root[node].length, node + 1, JSON_STRING, 0, 0}, length};
  std::memcpy(name->words, bytes, sizeof bytes);
  std::memcpy(name->masks, mask, sizeof mask);
}

// Takes the shape of a document that was parsed; none where it is too large, or has names with escapes or twice. False
// where there is no memory for it, and the shape is the one before.
static bool learn(json_tree *tree, const json_node *root, const char *text) {
  uint32_t parents[json_shape::most_nodes] = {}, count = 0;
  const bool is_shape = root->type >= JSON_ARRAY && root->next <= json_shape::most_nodes && find_parents(root, parents);
  for (uint32_t node = 0; is_shape && node < root->next; node++) count += parents[node] != 0;
  if (!reserve(tree, count)) return false;
  json_shape *shape = tree->shape;
  shape->trust = json_shape::new_trust;
  shape->id = count ? ++shapes_learned : 0;
  json_shape_name *name = shape->names;
  for (uint32_t node = 0; count && node < root->next; node++)
    if (parents[node]) take_name(name++, root, node, parents[node] - 1, text);
  name->place = json_shape_name::nowhere;
  return true;
}

void json_shape_follow(json_tree *tree, const json_node *root, const char *text, bool same) {
  json_shape *shape = tree->shape;
  if (same) {
    tree->document_shape = shape->id;
    if (shape->trust < json_shape::trusted) shape->trust++;
    return;
  }
  tree->document_shape = 0;
  if (shape && --shape->trust > 0) return;
  if (learn(tree, root, text)) tree->document_shape = tree->shape->id;
}
