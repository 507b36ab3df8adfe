// One pass over the text: grammar, UTF-8 and escapes are checked for the whole document before anybody reads a
// field, so a handler never meets a fault halfway. Strings and numbers are converted when they are read.

#include <cstdlib>
#include <cstring>

#include "json_scan.h"
#include "json_shape.h"

namespace {

// A value that is neither a container nor a text with escapes or of more than ASCII, nor a number of the rarer forms.
// Returns the byte after it; NULL for all else, whether it is JSON or not.
inline __attribute__((always_inline)) const unsigned char *read_plain(
  const unsigned char *p, const unsigned char *begin, json_node *node, uint32_t next) {
  const unsigned char *const from = p;
  const unsigned char c = *p;
  if (c == '"') {
    p = skip_plain(from + 1);
    if (*p != '"') return nullptr;
    *node = {uint32_t(from + 1 - begin), uint32_t(p - from - 1), next, JSON_STRING, 0, 0};
    return p + 1;
  }
  uint8_t type = JSON_INTEGER;
  if (is_digit(c)) {
    p = skip_digits(p);
    if (p - from > 18 || (c == '0' && p - from > 1)) return nullptr;
    if (*p == '.') {
      p = skip_digits(p + 1);
      if (p[-1] == '.') return nullptr;
      type = JSON_FLOAT;
    }
    if ((*p | 0x20) == 'e') return nullptr;
  } else if (c == 't' && std::memcmp(p, "true", 4) == 0) {
    type = JSON_TRUE;
    p += 4;
  } else if (c == 'f' && std::memcmp(p + 1, "alse", 4) == 0) {
    type = JSON_FALSE;
    p += 5;
  } else if (c == 'n' && std::memcmp(p, "null", 4) == 0) {
    type = JSON_NULL;
    p += 4;
  } else {
    return nullptr;
  }
  *node = {uint32_t(from - begin), uint32_t(p - from), next, type, 0, 0};
  return p;
}

// Where reading members came to.
struct Members {
  const unsigned char *p;
  const json_shape_name *name;
  uint32_t count;      // of the nodes so far
  bool is_value_read;  // p is behind a value, and not at the next name
};

// Reads members that have the expected names and plain values. There must be room for the nodes of a whole shape.
inline __attribute__((always_inline)) void read_expected(
  Members *members, const unsigned char *begin, json_node *nodes, uint32_t open) {
  const unsigned char *p = members->p;
  const json_shape_name *name = members->name;
  uint64_t place = json_shape_name::place_of(members->count, open);
  json_node *node = nodes + members->count;
  members->is_value_read = false;
  for (; name->place == place && name->stands_at(p); place += 2, name++, node += 2) {
    const unsigned char *value = p + name->length;
    if (*value == ' ') value++;
    value = read_plain(value, begin, node + 1, uint32_t(place) + 2);
    if (!value) break;
    *node = name->node;
    node->start = uint32_t(p + 1 - begin);
    p = value;
    if (*p != ',') {
      members->is_value_read = true;
      place += 2, name++;
      break;
    }
    p++;
    if (*p == ' ') p++;
  }
  members->p = p;
  members->name = name;
  const uint32_t count = uint32_t(place);
  nodes[open].length += (count - members->count) / 2 - members->is_value_read;
  members->count = count;
}

[[gnu::noinline]] void read_nested(Members *members, const unsigned char *begin, json_node *nodes, uint32_t open) {
  read_expected(members, begin, nodes, open);
}

bool grow_nodes(json_tree *tree) {
  size_t capacity = tree->capacity ? tree->capacity * 2 : 256;
  auto nodes = static_cast<json_node *>(std::realloc(tree->nodes, capacity * sizeof(json_node)));
  if (!nodes) return false;
  tree->nodes = nodes;
  tree->capacity = capacity;
  return true;
}

// Marks an object of whose names one may stand twice, which comparing them decides.
[[gnu::noinline]] void find_duplicate(
  json_node *root, uint32_t object, uint32_t member, const char *text) {
  const json_node &name = root[member];
  json_node &owner = root[object];
  // A wide object fills the filter; its duplicates are found by reading it from the end instead.
  if (owner.length > 32) {
    owner.flags |= JSON_DUPLICATES;
    return;
  }
  for (uint32_t other = object + 1; other < member;) {
    const json_node &node = root[other];
    if (node.length == name.length && std::memcmp(text + node.start, text + name.start, name.length) == 0) {
      owner.flags |= JSON_DUPLICATES;
      return;
    }
    other = root[other + 1].next;
  }
}

// The bit of a name in a filter of 64.
inline uint64_t filter_bit(const json_node &name, const char *text) {
  // The bytes around an empty name are quotes.
  auto bytes = reinterpret_cast<const unsigned char *>(text + name.start);
  const unsigned hash = name.length * 7 + bytes[0] + bytes[int(name.length) - 1] * 3u + bytes[name.length / 2] * 5u;
  return uint64_t(1) << (hash & 63);
}

// The filter of the names that an open object has so far; all bits once a container closed in it, as while parsing.
[[gnu::noinline]] uint64_t filter_of(const json_node *root, uint32_t object, uint32_t count, const char *text) {
  uint64_t filter = 0;
  for (uint32_t member = object + 1; member < count; member = root[member + 1].next) {
    if (root[member + 1].type >= JSON_ARRAY) return ~uint64_t(0);
    filter |= filter_bit(root[member], text);
  }
  return filter;
}

// The fault of a document of which nothing was read.
bool no_memory(json_tree *tree, size_t root) {
  tree->fault_offset = 0;
  tree->fault = "out of memory";
  tree->count = tree->fault_node = root;
  return false;
}

// Parses a document, or what is left of an object of which members were read.
[[gnu::noinline]] bool parse(
  json_tree *tree, const char *text, size_t length, uint32_t nesting, const Members *members) {
  const size_t root = tree->count;
  const auto begin = reinterpret_cast<const unsigned char *>(text);
  const auto end = begin + length;
  const unsigned char *p = begin;
  Fault fault = {begin, "out of memory"};
  uint32_t depth = 0;
  uint32_t open = 0;       // the container being filled
  uint64_t filter = 0;     // its names, roughly; nothing while the shape is the same
  bool in_object = false;
  uint32_t count = 0;
  json_node *nodes = tree->nodes + root;
  size_t room = tree->capacity - root;
  bool same = tree->shape && tree->shape->id != 0;
  const json_shape_name *expected = same ? tree->shape->names : nullptr;
  while (same && room < 2 * json_shape::most_nodes) {
    if (!grow_nodes(tree)) return no_memory(tree, root);
    nodes = tree->nodes + root;
    room = tree->capacity - root;
  }

  if (tree->stack_capacity < size_t(nesting) + 1) {
    auto stack = static_cast<uint32_t *>(std::realloc(tree->stack, (size_t(nesting) + 1) * sizeof(uint32_t)));
    if (!stack) return no_memory(tree, root);
    tree->stack = stack;
    tree->stack_capacity = size_t(nesting) + 1;
  }
  auto add = [&](uint8_t type, const unsigned char *from, size_t bytes) -> json_node * {
    if (__builtin_expect(count == room, 0)) {
      if (!grow_nodes(tree)) return nullptr;
      nodes = tree->nodes + root;
      room = tree->capacity - root;
    }
    json_node *node = nodes + count++;
    *node = {uint32_t(from - begin), uint32_t(bytes), count, type, 0, 0};
    return node;
  };

  if (members) {
    count = members->count;
    expected = members->name;
    tree->stack[depth++] = open;
    in_object = true;
    p = skip_space(members->p);
    if (members->is_value_read) goto after;
    if (count == 1 && *p == '}') goto close;
    goto member;
  }
  if (length >= 3 && std::memcmp(begin, "\xEF\xBB\xBF", 3) == 0) p += 3;
  p = skip_space(p);

value:
  if (*p == '"') {
    const unsigned char *content = p + 1;
    uint8_t flags = 0;
    p = scan_string(content, end, &flags, &fault);
    if (!p) goto failed;
    json_node *node = add(JSON_STRING, content, size_t(p - content));
    if (!node) goto failed;
    node->flags = flags;
    p++;
    goto after;
  }
  if (is_digit(*p)) {
    uint8_t type = 0;
    const unsigned char *from = p;
    p = scan_number(p, &type, &fault);
    if (!p) goto failed;
    if (!add(type, from, size_t(p - from))) goto failed;
    goto after;
  }
  switch (*p) {
    case '{':
    case '[': {
      bool object = *p == '{';
      if (depth >= nesting) {
        fault = {p, "nested deeper than the limit"};
        goto failed;
      }
      if (!add(object ? JSON_OBJECT : JSON_ARRAY, p, 0)) goto failed;
      tree->stack[depth++] = open;
      open = count - 1;
      in_object = object;
      filter = 0;
      p = skip_space(p + 1);
      if (*p == (object ? '}' : ']')) goto close;
      if (object) goto member;
      goto value;
    }
    case 't':
      if (std::memcmp(p, "true", 4) != 0) goto unexpected;
      if (!add(JSON_TRUE, p, 4)) goto failed;
      p += 4;
      break;
    case 'f':
      if (std::memcmp(p, "false", 5) != 0) goto unexpected;
      if (!add(JSON_FALSE, p, 5)) goto failed;
      p += 5;
      break;
    case 'n':
      if (std::memcmp(p, "null", 4) != 0) goto unexpected;
      if (!add(JSON_NULL, p, 4)) goto failed;
      p += 4;
      break;
    case '-': {
      uint8_t type = 0;
      const unsigned char *from = p;
      p = scan_number(p, &type, &fault);
      if (!p) goto failed;
      if (!add(type, from, size_t(p - from))) goto failed;
      break;
    }
    default: goto unexpected;
  }

after:
  p = skip_space(p);
  if (depth == 0) {
    if (p == end) {
      tree->count = root + count;
      json_shape_follow(tree, nodes, text, same && expected->place == json_shape_name::nowhere);
      return true;
    }
    fault = {p, "expected nothing after the value"};
    goto failed;
  }
  nodes[open].length++;
  if (*p == ',') {
    p = skip_space(p + 1);
    if (in_object) goto member;
    goto value;
  }
  if (*p == (in_object ? '}' : ']')) goto close;
  fault = {p, in_object ? "expected ',' or '}'" : "expected ',' or ']'"};
  if (p >= end) fault = {end, in_object ? "the text ends inside an object" : "the text ends inside an array"};
  goto failed;

member: {
  if (same) {
    if (room - count >= json_shape::most_nodes) {
      Members members = {p, expected, count, false};
      read_nested(&members, begin, nodes, open);
      p = skip_space(members.p);
      expected = members.name;
      count = members.count;
      if (members.is_value_read) goto after;
    }
    if (expected->place == json_shape_name::place_of(count, open) && expected->stands_at(p)) {
      const unsigned char *content = p + 1;
      if (!add(JSON_STRING, content, expected->length - 3)) goto failed;
      p = skip_space(p + expected->length);
      expected++;
      goto value;
    }
    same = false;
    filter = filter_of(nodes, open, count, text);
  }
  if (*p != '"') {
    fault = {p < end ? p : end, "expected a name in quotes"};
    goto failed;
  }
  const unsigned char *content = p + 1;
  uint8_t flags = 0;
  p = scan_string(content, end, &flags, &fault);
  if (!p) goto failed;
  json_node *node = add(JSON_STRING, content, size_t(p - content));
  if (!node) goto failed;
  node->flags = flags;
  // Names with escapes are rare: such an object is read from the end.
  if (flags) nodes[open].flags |= JSON_DUPLICATES;
  // The filter keeps the exact comparison off the usual path.
  const uint64_t bit = filter_bit(*node, text);
  if (filter & bit) find_duplicate(nodes, open, count - 1, text);
  filter |= bit;
  p = skip_space(p + 1);
  if (*p != ':') {
    fault = {p < end ? p : end, "expected ':' after a name"};
    goto failed;
  }
  p = skip_space(p + 1);
  goto value;
}

close:
  p++;
  nodes[open].next = count;
  depth--;
  open = tree->stack[depth];
  if (depth > 0) {
    in_object = nodes[open].type == JSON_OBJECT;
    filter = ~uint64_t(0);  // the outer object's filter is gone: compare its further names exactly
  }
  goto after;

unexpected:
  if (p < end) fault = {p, "expected a value"};
  else fault = {end, length == 0 ? "the message is empty" : "the text ends where a value should be"};

failed:
  tree->fault_offset = uint32_t(fault.at - begin);
  tree->fault = fault.reason;
  tree->count = root + count;
  tree->fault_node = tree->count;
  for (uint32_t i = depth; i > 0; i--) {
    nodes[open].next = count;
    open = tree->stack[i - 1];
  }
  return false;
}

}  // namespace

bool json_parse(json_tree *tree, const char *text, size_t length, uint32_t nesting) {
  json_shape *shape = tree->shape;
  if (!shape || !shape->id || *text != '{' || nesting == 0 || tree->capacity - tree->count < json_shape::most_nodes)
    return parse(tree, text, length, nesting, nullptr);
  // Mostly an object that has the expected members and nothing else.
  const auto begin = reinterpret_cast<const unsigned char *>(text);
  json_node *nodes = tree->nodes + tree->count;
  *nodes = {0, 0, 0, JSON_OBJECT, 0, 0};
  Members members = {begin + 1, shape->names, 1, false};
  read_expected(&members, begin, nodes, 0);
  if (!members.is_value_read || members.name->place != json_shape_name::nowhere || *members.p != '}' ||
      members.p + 1 != begin + length)
    return parse(tree, text, length, nesting, &members);
  nodes->length++;
  nodes->next = members.count;
  tree->count += members.count;
  tree->document_shape = shape->id;
  if (shape->trust < json_shape::trusted) shape->trust++;
  return true;
}
