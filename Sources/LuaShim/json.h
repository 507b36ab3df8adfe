// Strict JSON (RFC 8259) into a flat tree that is read lazily, and the writer's small parts.

#ifndef LUA_SHIM_JSON_H
#define LUA_SHIM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "LuaShim.h"

#ifdef __cplusplus
extern "C" {
#endif

enum json_type {
  JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_INTEGER, JSON_BIG, JSON_FLOAT, JSON_STRING, JSON_ARRAY, JSON_OBJECT
};
// JSON_NAME marks names only while numbers are made of texts.
enum json_flag { JSON_ESCAPED = 1, JSON_DUPLICATES = 2, JSON_NAME = 4 };

// A value; strings and numbers stay in the text until somebody reads them. `next` counts from the message's root.
typedef struct json_node {
  uint32_t start;   // offset of the first byte (of the content, for strings) in the message
  uint32_t length;  // bytes of a scalar, items of an array, members of an object
  uint32_t next;    // index of the node after this one's content
  uint8_t type;
  uint8_t flags;
  uint16_t unused;
} json_node;

typedef struct json_tree {
  json_node *nodes;
  size_t count, capacity;
  uint32_t *stack;  // open containers during parsing
  size_t stack_capacity;
  // the fault, when parsing failed
  uint32_t fault_offset;
  const char *fault;
  size_t fault_node;  // how many nodes stood when it happened
  struct json_shape *shape;  // by which documents are read
  uint64_t document_shape;   // of the document parsed last, 0 for none: the same names stand at the same nodes
} json_tree;

void json_tree_free(json_tree *tree);
// Appends one document's nodes. The text must be followed by 16 readable bytes, the first of them zero.
bool json_parse(json_tree *tree, const char *text, size_t length, uint32_t nesting);
// Writes the path of the fault ("data.items[3].p") and returns its length.
size_t json_fault_path(const json_tree *tree, size_t root, const char *text, char *out, size_t capacity);

// Unescapes a string's content; `out` must hold `length` bytes. Returns the bytes written.
size_t json_unescape(const char *content, size_t length, char *out);
int64_t json_integer(const char *digits, size_t length);
// A whole text as a decimal number, as JSON writes one but with leading zeros, '+' and outer spaces allowed.
bool json_number_text(const char *text, size_t length, double *number);
bool json_valid_utf8(const char *bytes, size_t length);
double json_double(const char *digits, size_t length);
// Shortest text that reads back as the same double, always with a point or an exponent. `out` holds 32 bytes.
size_t json_write_double(double number, char *out);
size_t json_write_integer(int64_t integer, char *out);

// The value node of a member, 0 where there is none; `root` is the message's first node.
uint32_t json_member(const json_node *root, const char *text, uint32_t object, const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
