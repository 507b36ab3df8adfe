// Messages in the order they came: one text buffer, one node buffer.

#ifndef LUA_SHIM_BATCH_H
#define LUA_SHIM_BATCH_H

#include "json.h"

struct batch_message {
  size_t start;       // of the text in the buffer
  uint32_t length;
  uint32_t fault_offset;
  size_t root;        // of the tree in the node buffer
  uint64_t shape;     // of the tree, 0 for none
  const char *fault;  // NULL when decoded
  size_t fault_path;  // offset and length in the fault texts
  script_message_info info;
  uint8_t skipped;    // 1 where it is no message of a script's, 2 where it was there before
  uint32_t topic, topic_length;  // in the buffer of topics
};

struct script_batch {
  char *text;
  size_t used, capacity;
  batch_message *messages;
  uint32_t count, message_capacity;
  uint32_t decoded;
  uint32_t nesting;
  json_tree tree;
  char scratch[1024];   // the last fault's sentence
  char *topics;         // one after the other
  size_t topics_used, topics_capacity;
  char *unescaped;      // the last text that had escapes
  size_t unescaped_capacity;
};

// Room for a text without its escapes, until the next one needs it; NULL where there is no memory.
char *batch_unescaped(script_batch *batch, size_t length);
// The text of a message's node, where that is a text or a number.
bool batch_scalar(script_batch *batch, uint32_t index, uint32_t node, script_text *field);

#endif
