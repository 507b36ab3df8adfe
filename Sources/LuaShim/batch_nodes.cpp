// The values of a decoded message, node by node, as Swift walks through them.

#include <cstdlib>
#include <cstring>

#include "batch.h"

script_node script_batch_node(script_batch *batch, uint32_t message_index, uint32_t index) {
  const batch_message &message = batch->messages[message_index];
  const char *text = batch->text + message.start;
  script_node result = {};
  if (message.info.text) {
    result.kind = SCRIPT_TEXT;
    result.text = {text, message.length};
    return result;
  }
  const json_node &node = batch->tree.nodes[message.root + index];
  result.next = node.next;
  result.first = index + 1;
  result.text = {text + node.start, node.length};
  switch (node.type) {
    case JSON_NULL: result.kind = SCRIPT_NULL; break;
    case JSON_FALSE: result.kind = SCRIPT_FALSE; break;
    case JSON_TRUE: result.kind = SCRIPT_TRUE; break;
    case JSON_INTEGER:
      result.kind = SCRIPT_INTEGER;
      result.integer = json_integer(text + node.start, node.length);
      break;
    case JSON_BIG: result.kind = SCRIPT_TEXT; break;
    case JSON_FLOAT:
      result.kind = SCRIPT_NUMBER;
      result.number = json_double(text + node.start, node.length);
      break;
    case JSON_STRING:
      result.kind = SCRIPT_TEXT;
      if (node.flags & JSON_ESCAPED) {
        char *plain = batch_unescaped(batch, node.length);
        if (plain) result.text = {plain, json_unescape(text + node.start, node.length, plain)};
      }
      break;
    default:
      result.kind = node.type == JSON_OBJECT ? SCRIPT_MAP : SCRIPT_LIST;
      result.count = node.length;
  }
  return result;
}

bool script_batch_item(
  script_batch *batch, uint32_t message_index, uint32_t index, uint32_t *node, script_text *bytes,
  bool *has_rare_floats) {
  const batch_message &message = batch->messages[message_index];
  const json_node *root = batch->tree.nodes + message.root;
  const char *text = batch->text + message.start;
  if (root->type != JSON_ARRAY || index >= root->length) return false;
  uint32_t found = 1;
  for (uint32_t i = 0; i < index; i++) found = root[found].next;
  // A text is kept without its quotes.
  const auto first = [root](uint32_t node) { return root[node].start - (root[node].type == JSON_STRING); };
  const uint32_t behind = root[found].next;
  const uint32_t end = (behind < root->next ? first(behind) : message.length) - 1;
  *node = found;
  *bytes = {text + first(found), end - first(found)};
  // The door prefers an exponent where that is shorter, and digits up to the same length.
  *has_rare_floats = false;
  for (uint32_t i = found; i < behind; i++)
    if (root[i].type == JSON_FLOAT && (root[i].length > 16 || std::memchr(text + root[i].start, 'e', root[i].length)))
      *has_rare_floats = true;
  return true;
}
