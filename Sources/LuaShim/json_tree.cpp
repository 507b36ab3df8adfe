// Reading a parsed tree: a member by its name, the path of a fault.

#include <cstdlib>
#include <cstring>

#include "json_shape.h"

void json_tree_free(json_tree *tree) {
  std::free(tree->nodes);
  std::free(tree->stack);
  std::free(tree->shape);
  *tree = json_tree{};
}

size_t json_fault_path(const json_tree *tree, size_t root, const char *text, char *out, size_t capacity) {
  size_t length = 0;
  const json_node *nodes = tree->nodes + root;
  const uint32_t stop = uint32_t(tree->fault_node - root);
  auto put = [&](const char *bytes, size_t count) {
    for (size_t i = 0; i < count && length < capacity; i++) out[length++] = bytes[i];
  };
  uint32_t node = 0;
  while (node < stop && (nodes[node].type == JSON_OBJECT || nodes[node].type == JSON_ARRAY)) {
    bool object = nodes[node].type == JSON_OBJECT;
    uint32_t child = node + 1, index = 0, inside = 0;
    const json_node *name = nullptr;
    while (child < stop) {
      if (object) name = &nodes[child++];
      index++;
      if (child >= stop) break;
      if (nodes[child].next >= stop) {
        inside = child;
        if (nodes[child].type < JSON_ARRAY) inside = 0;
        if (inside) break;
      }
      child = nodes[child].next;
      if (child >= stop) name = nullptr;
    }
    if (object && name) {
      if (length) put(".", 1);
      put(text + name->start, name->length);
    } else if (!object) {
      char digits[24];
      digits[0] = '[';
      size_t count = 1 + json_write_integer(inside ? index : index + 1, digits + 1);
      digits[count++] = ']';
      put(digits, count);
    }
    if (!inside) break;
    node = inside;
  }
  return length;
}

// Whether two texts are the same that are as long as one to two words.
template <typename Word>
static inline bool same_words(const char *a, const char *b, size_t length) {
  Word first_a, first_b, last_a, last_b;
  std::memcpy(&first_a, a, sizeof(Word));
  std::memcpy(&first_b, b, sizeof(Word));
  std::memcpy(&last_a, a + length - sizeof(Word), sizeof(Word));
  std::memcpy(&last_b, b + length - sizeof(Word), sizeof(Word));
  return ((first_a ^ first_b) | (last_a ^ last_b)) == 0;
}

// Whether two texts of a length are the same. Names are short, and calling memcmp takes longer than comparing them.
static inline bool same_bytes(const char *a, const char *b, size_t length) {
  if (length > 16) return std::memcmp(a, b, length) == 0;
  if (length >= 8) return same_words<uint64_t>(a, b, length);
  if (length >= 4) return same_words<uint32_t>(a, b, length);
  for (size_t i = 0; i < length; i++)
    if (a[i] != b[i]) return false;
  return true;
}

uint32_t json_member(const json_node *root, const char *text, uint32_t object, const char *name, size_t length) {
  const json_node *owner = root + object;
  if (owner->type != JSON_OBJECT) return 0;
  uint32_t found = 0;
  const bool last_wins = owner->flags & JSON_DUPLICATES;
  for (uint32_t member = object + 1; member < owner->next;) {
    const json_node *key = root + member;
    uint32_t value = member + 1;
    if (!(key->flags & JSON_ESCAPED)) {
      if (key->length == length && same_bytes(text + key->start, name, length)) {
        if (!last_wins) return value;
        found = value;
      }
    } else if (key->length >= length && key->length <= 6 * length + 6) {
      char small[512];
      char *plain = key->length <= sizeof small ? small : static_cast<char *>(std::malloc(key->length));
      if (plain) {
        size_t count = json_unescape(text + key->start, key->length, plain);
        if (count == length && std::memcmp(plain, name, length) == 0) found = value;
        if (plain != small) std::free(plain);
      }
    }
    member = root[value].next;
  }
  return found;
}
