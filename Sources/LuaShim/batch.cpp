#include "batch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// What the parser may read past the end of a text.
constexpr size_t padding = 32;

template <typename T>
bool reserve(T **items, size_t *capacity, size_t needed) {
  if (needed <= *capacity) return true;
  size_t wanted = *capacity ? *capacity * 2 : 1024;
  while (wanted < needed) wanted *= 2;
  T *moved = static_cast<T *>(std::realloc(*items, wanted * sizeof(T)));
  if (!moved) return false;
  *items = moved;
  *capacity = wanted;
  return true;
}

// The item of a list whose number, from 1, stands in the path; 0 where there is none.
uint32_t numbered_item(const json_node *root, uint32_t array, const char *digits, size_t length) {
  uint32_t number = 0;
  for (size_t i = 0; i < length; i++) {
    if (digits[i] < '0' || digits[i] > '9' || number > UINT32_MAX / 10 - 1) return 0;
    number = number * 10 + uint32_t(digits[i] - '0');
  }
  if (number == 0 || number > root[array].length) return 0;
  uint32_t node = array + 1;
  while (--number) node = root[node].next;
  return node;
}

// Goes along a dotted path of a decoded message; false where it leads nowhere.
bool locate(const script_batch *batch, const batch_message &message, const char *path, uint32_t *found) {
  if (message.fault || message.info.text) return false;
  const json_node *root = batch->tree.nodes + message.root;
  const char *text = batch->text + message.start;
  uint32_t node = 0;
  while (*path) {
    const char *dot = path;
    while (*dot && *dot != '.') dot++;
    const size_t length = size_t(dot - path);
    node = root[node].type == JSON_ARRAY ? numbered_item(root, node, path, length)
                                         : json_member(root, text, node, path, length);
    if (!node) return false;
    path = *dot ? dot + 1 : dot;
  }
  *found = node;
  return true;
}

// The end of the value whose text begins at p; the message is JSON.
const char *value_end(const char *p, const json_node &node) {
  if (node.type < JSON_STRING) return p + node.length;
  if (node.type == JSON_STRING) return p + node.length + 2;
  for (uint32_t depth = 0;; p++) {
    if (*p == '"') {
      for (p++; *p != '"'; p++) p += *p == '\\';
    } else if (*p == '{' || *p == '[') {
      depth++;
    } else if ((*p == '}' || *p == ']') && --depth == 0) {
      return p + 1;
    }
  }
}

// Turns a text that is a number into one; anything else stays as it is.
void make_number(json_node *node, const char *text) {
  if (node->type != JSON_STRING || (node->flags & JSON_ESCAPED)) return;
  const char *start = text + node->start, *end = start + node->length;
  double number;
  if (!json_number_text(start, node->length, &number)) return;
  while (*start == '+' || *start == ' ' || (*start >= '\t' && *start <= '\r')) start++;
  while (end[-1] == ' ' || (end[-1] >= '\t' && end[-1] <= '\r')) end--;
  node->start = uint32_t(start - text);
  node->length = uint32_t(end - start);
  node->type = JSON_FLOAT;
}

}  // namespace

char *batch_unescaped(script_batch *batch, size_t length) {
  return reserve(&batch->unescaped, &batch->unescaped_capacity, length) ? batch->unescaped : nullptr;
}

script_batch *script_batch_create(uint32_t nesting) {
  auto batch = static_cast<script_batch *>(std::calloc(1, sizeof(script_batch)));
  if (!batch) std::abort();
  batch->nesting = nesting;
  return batch;
}

void script_batch_destroy(script_batch *batch) {
  json_tree_free(&batch->tree);
  std::free(batch->text);
  std::free(batch->messages);
  std::free(batch->unescaped);
  std::free(batch->topics);
  std::free(batch);
}

void script_batch_clear(script_batch *batch) {
  batch->used = batch->topics_used = 0;
  batch->count = batch->decoded = 0;
  batch->tree.count = 0;
  // One huge message must not hold its memory for ever.
  constexpr size_t kept = 4 << 20;
  if (batch->capacity > kept) {
    std::free(batch->text);
    batch->text = nullptr;
    batch->capacity = 0;
  }
  if (batch->tree.capacity * sizeof(json_node) > kept) json_tree_free(&batch->tree);
}

static inline bool append(script_batch *batch, const void *bytes, size_t count, const script_message_info &info) {
  if (count > UINT32_MAX - padding) return false;
  if (!reserve(&batch->text, &batch->capacity, batch->used + count + padding)) return false;
  size_t messages = batch->message_capacity;
  if (!reserve(&batch->messages, &messages, size_t(batch->count) + 1)) return false;
  batch->message_capacity = uint32_t(messages);
  if (count) std::memcpy(batch->text + batch->used, bytes, count);
  std::memset(batch->text + batch->used + count, 0, padding);
  batch->messages[batch->count++] = {batch->used, uint32_t(count), 0, 0, 0, nullptr, 0, info, 0, 0, 0};
  batch->used += count + padding;
  return true;
}

bool script_batch_append(script_batch *batch, const void *bytes, size_t count, script_message_info info) {
  return append(batch, bytes, count, info);
}

size_t script_batch_append_lines(
  script_batch *batch, const void *bytes, size_t count, script_lines lines, uint32_t epoch, uint32_t *taken) {
  auto const start = static_cast<const char *>(bytes), end = start + count;
  const char *line = start;
  const uint32_t before = batch->count;
  script_message_info info = {};
  info.time = lines.time;
  info.epoch = epoch;
  while (line < end && static_cast<unsigned char>(*line) > ' ') {
    auto stop = static_cast<const char *>(std::memchr(line, '\n', size_t(end - line)));
    if (!stop || stop[-1] == '\r') break;
    const size_t length = size_t(stop - line);
    if (__builtin_add_overflow(info.time, lines.step, &info.time) || info.time > lines.last) break;
    if (length > lines.longest || batch->used + length > lines.room) break;
    info.received = info.time;
    if (!append(batch, line, length, info)) break;
    line = stop + 1;
  }
  *taken = batch->count - before;
  return size_t(line - start);
}

void script_batch_copy(script_batch *batch, const script_batch *other) {
  script_batch_clear(batch);
  size_t messages = batch->message_capacity;
  const bool good = reserve(&batch->text, &batch->capacity, other->used) &&
                    reserve(&batch->messages, &messages, other->count) &&
                    reserve(&batch->topics, &batch->topics_capacity, other->topics_used) &&
                    reserve(&batch->tree.nodes, &batch->tree.capacity, other->tree.count);
  if (!good) std::abort();
  batch->message_capacity = uint32_t(messages);
  if (other->count == 0) return;
  std::memcpy(batch->text, other->text, other->used);
  std::memcpy(batch->messages, other->messages, other->count * sizeof(batch_message));
  if (other->topics_used) std::memcpy(batch->topics, other->topics, other->topics_used);
  batch->used = other->used;
  batch->count = other->count;
  batch->topics_used = other->topics_used;
  bool faulty = false;
  for (uint32_t i = 0; i < other->decoded && !faulty; i++) faulty = other->messages[i].fault != nullptr;
  if (faulty) {
    // Decoding tells how many have one.
    for (uint32_t i = 0; i < batch->count; i++) batch->messages[i].fault = nullptr;
    return;
  }
  if (other->tree.count) std::memcpy(batch->tree.nodes, other->tree.nodes, other->tree.count * sizeof(json_node));
  batch->tree.count = other->tree.count;
  batch->decoded = other->decoded;
}

uint32_t script_batch_count(const script_batch *batch) { return batch->count; }
size_t script_batch_bytes(const script_batch *batch) { return batch->used; }

size_t script_batch_message_bytes(const script_batch *batch) { return batch->used - batch->count * padding; }

bool script_batch_set_topic(script_batch *batch, const void *bytes, size_t count) {
  if (batch->count == 0 || count > UINT16_MAX) return false;
  batch_message &message = batch->messages[batch->count - 1];
  if (batch->count > 1) {
    // Most messages have the topic of the one before.
    const batch_message &last = batch->messages[batch->count - 2];
    if (last.topic_length == count && (count == 0 || std::memcmp(batch->topics + last.topic, bytes, count) == 0)) {
      message.topic = last.topic;
      message.topic_length = last.topic_length;
      return true;
    }
  }
  if (count == 0) return true;
  if (batch->topics_used + count > UINT32_MAX) return false;
  if (!reserve(&batch->topics, &batch->topics_capacity, batch->topics_used + count)) return false;
  std::memcpy(batch->topics + batch->topics_used, bytes, count);
  message.topic = uint32_t(batch->topics_used);
  message.topic_length = uint32_t(count);
  batch->topics_used += count;
  return true;
}

script_text script_batch_topic(const script_batch *batch, uint32_t index) {
  const batch_message &message = batch->messages[index];
  return {message.topic_length ? batch->topics + message.topic : "", message.topic_length};
}

script_text script_batch_message(const script_batch *batch, uint32_t index) {
  const batch_message &message = batch->messages[index];
  return {batch->text + message.start, message.length};
}

script_message_info script_batch_info(const script_batch *batch, uint32_t index) {
  return batch->messages[index].info;
}

void script_batch_set_info(script_batch *batch, uint32_t index, script_message_info info) {
  batch->messages[index].info = info;
}

void script_batch_skip(script_batch *batch, uint32_t index, bool repeated) {
  batch->messages[index].skipped = repeated ? 2 : 1;
}
bool script_batch_skipped(const script_batch *batch, uint32_t index) { return batch->messages[index].skipped; }
bool script_batch_repeated(const script_batch *batch, uint32_t index) { return batch->messages[index].skipped == 2; }

uint32_t script_batch_decode(script_batch *batch) {
  uint32_t faults = 0;
  for (; batch->decoded < batch->count; batch->decoded++) {
    batch_message &message = batch->messages[batch->decoded];
    const char *text = batch->text + message.start;
    message.root = batch->tree.count;
    if (message.info.text) {
      if (json_valid_utf8(text, message.length)) continue;
      message.fault = "invalid UTF-8";
      faults++;
      continue;
    }
    if (json_parse(&batch->tree, text, message.length, batch->nesting)) {
      message.shape = batch->tree.document_shape;
      continue;
    }
    message.fault = batch->tree.fault;
    message.fault_offset = batch->tree.fault_offset;
    batch->tree.count = message.root;
    faults++;
  }
  return faults;
}

bool script_batch_fault(script_batch *batch, uint32_t index, uint32_t *offset, script_text *reason) {
  const batch_message &message = batch->messages[index];
  if (!message.fault) return false;
  const char *text = batch->text + message.start;
  // The tree of a faulty message is not kept: parse once more for the path.
  size_t root = batch->tree.count;
  char path[256];
  size_t length = 0;
  if (!message.info.text && !json_parse(&batch->tree, text, message.length, batch->nesting))
    length = json_fault_path(&batch->tree, root, text, path, sizeof path);
  batch->tree.count = root;
  *offset = message.fault_offset;
  auto first = reinterpret_cast<const unsigned char *>(text);
  const char *hint = "";
  if (message.length >= 2 && first[0] == 0x1F && first[1] == 0x8B)
    hint = "; this looks like gzip: set decompress = \"gzip\", or unpack it beforehand where the source has no such option";
  else if (message.length >= 2 && first[0] == 0x78 && (first[1] == 0x01 || first[1] == 0x9C || first[1] == 0xDA))
    hint = "; this looks like zlib: set decompress = \"zlib\", or unpack it beforehand where the source has no such option";
  int written = length ? std::snprintf(batch->scratch, sizeof batch->scratch, "%s at offset %u (%.*s)%s", message.fault,
                                       message.fault_offset, int(length), path, hint)
                       : std::snprintf(batch->scratch, sizeof batch->scratch, "%s at offset %u%s", message.fault,
                                       message.fault_offset, hint);
  *reason = {batch->scratch, size_t(written)};
  return true;
}

bool script_batch_field(script_batch *batch, uint32_t index, const char *path, script_text *field) {
  const batch_message &message = batch->messages[index];
  uint32_t node;
  if (!locate(batch, message, path, &node)) return false;
  return batch_scalar(batch, index, node, field);
}

bool batch_scalar(script_batch *batch, uint32_t index, uint32_t node, script_text *field) {
  const batch_message &message = batch->messages[index];
  const json_node *root = batch->tree.nodes + message.root;
  const char *text = batch->text + message.start;
  if (root[node].type < JSON_INTEGER || root[node].type > JSON_STRING) return false;
  *field = {text + root[node].start, root[node].length};
  if (root[node].flags & JSON_ESCAPED) {
    char *plain = batch_unescaped(batch, root[node].length);
    if (!plain) return false;
    *field = {plain, json_unescape(text + root[node].start, root[node].length, plain)};
  }
  return true;
}

bool script_batch_find(script_batch *batch, uint32_t index, const char *path, script_node *node) {
  uint32_t found;
  if (!locate(batch, batch->messages[index], path, &found)) return false;
  *node = script_batch_node(batch, index, found);
  return true;
}

void script_batch_make_numbers(script_batch *batch, uint32_t index, const char *path) {
  const batch_message &message = batch->messages[index];
  uint32_t found;
  if (!locate(batch, message, path, &found)) return;
  json_node *root = batch->tree.nodes + message.root;
  const char *text = batch->text + message.start;
  // What stands in an object as a name stays one.
  uint32_t end = root[found].next;
  uint32_t node = found;
  while (node < end) {
    if (root[node].type == JSON_OBJECT) {
      for (uint32_t member = node + 1; member < root[node].next; member = root[member + 1].next)
        root[member].flags |= JSON_NAME;
    }
    if (!(root[node].flags & JSON_NAME)) make_number(&root[node], text);
    node++;
  }
  for (node = found; node < end; node++) root[node].flags &= uint8_t(~JSON_NAME);
}

void script_batch_copy_topic(script_batch *batch, const script_batch *other, uint32_t index) {
  const script_text topic = script_batch_topic(other, index);
  if (topic.count) script_batch_set_topic(batch, topic.bytes, topic.count);
}

bool script_batch_split(
  script_batch *batch, uint32_t index, const char *path, bool pairs, script_batch *target) {
  const batch_message &message = batch->messages[index];
  uint32_t found;
  if (!locate(batch, message, path, &found)) return false;
  const json_node *root = batch->tree.nodes + message.root;
  const char *text = batch->text + message.start;
  const json_node &owner = root[found];
  if (owner.type != (pairs ? JSON_OBJECT : JSON_ARRAY)) return false;
  for (uint32_t node = found + 1; node < owner.next;) {
    const uint32_t value = pairs ? node + 1 : node;
    const char *start = text + root[value].start - (root[value].type == JSON_STRING ? 1 : 0);
    const size_t length = size_t(value_end(start, root[value]) - start);
    if (pairs) {
      static const char before[] = "{\"key\":\"", between[] = "\",\"value\":";
      const size_t name = root[node].length;
      const size_t total = sizeof before - 1 + name + sizeof between - 1 + length + 1;
      char *whole = batch_unescaped(target, total);
      if (!whole) return false;
      char *p = whole;
      std::memcpy(p, before, sizeof before - 1), p += sizeof before - 1;
      std::memcpy(p, text + root[node].start, name), p += name;
      std::memcpy(p, between, sizeof between - 1), p += sizeof between - 1;
      std::memcpy(p, start, length), p += length;
      *p = '}';
      script_batch_append(target, whole, total, message.info);
      script_batch_copy_topic(target, batch, index);
    } else {
      script_batch_append(target, start, length, message.info);
      script_batch_copy_topic(target, batch, index);
    }
    node = root[value].next;
  }
  return true;
}
