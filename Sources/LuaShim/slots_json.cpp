// JSON into state: messages that a script keeps, and stored rows.

#include "slots.h"

static void slot_of_node(script_vm *vm, const char *text, const json_node &node, uint32_t owner, Slot *slot) {
  const char *content = text + node.start;
  switch (node.type) {
    case JSON_NULL: slot->kind = SlotKind::null; break;
    case JSON_FALSE: slot->kind = SlotKind::no; break;
    case JSON_TRUE: slot->kind = SlotKind::yes; break;
    case JSON_INTEGER:
      slot->kind = SlotKind::integer;
      slot->integer = json_integer(content, node.length);
      break;
    case JSON_FLOAT:
      slot->kind = SlotKind::number;
      slot->number = json_double(content, node.length);
      break;
    default:
      if (node.flags & JSON_ESCAPED) {
        std::string plain(node.length, 0);
        plain.resize(json_unescape(content, node.length, plain.data()));
        vm->state.set_text(slot, plain.data(), plain.size(), owner);
      } else {
        vm->state.set_text(slot, content, node.length, owner);
      }
  }
}

static MapKey key_of_node(const char *text, const json_node &node) {
  MapKey key;
  const char *content = text + node.start;
  switch (node.type) {
    case JSON_INTEGER: key.integer = json_integer(content, node.length); break;
    case JSON_FLOAT:
      key.rank = 1;
      key.number = json_double(content, node.length);
      break;
    case JSON_TRUE:
    case JSON_FALSE:
      key.rank = 2;
      key.integer = node.type == JSON_TRUE;
      break;
    default:
      key.rank = 3;
      key.text.resize(node.length);
      if (node.flags & JSON_ESCAPED)
        key.text.resize(json_unescape(content, node.length, key.text.data()));
      else
        key.text.assign(content, node.length);
  }
  return key;
}

bool slot_from_json(
  script_vm *vm, const json_node *root, const char *text, uint32_t index, uint32_t owner, Slot *slot) {
  const json_node &node = root[index];
  if (node.type < JSON_ARRAY) {
    slot_of_node(vm, text, node, owner, slot);
    return true;
  }
  uint32_t made = vm->state.make_container(owner);
  slot->kind = SlotKind::container;
  slot->container = made;
  uint32_t child = index + 1;
  if (node.type == JSON_ARRAY) {
    vm->state.container(made).tagged_list = true;
    for (; child < node.next; child = root[child].next) {
      Slot item;
      slot_from_json(vm, root, text, child, owner, &item);
      vm->state.push(made, item);
    }
    return true;
  }
  uint32_t pairs = node.length == 1 ? json_member(root, text, index, "$pairs", 6) : 0;
  if (pairs && root[pairs].type == JSON_ARRAY) {
    for (uint32_t pair = pairs + 1; pair < root[pairs].next; pair = root[pair].next) {
      if (root[pair].type != JSON_ARRAY || root[pair].length != 2) return false;
      Slot item;
      slot_from_json(vm, root, text, root[pair + 1].next, owner, &item);
      MapKey key = key_of_node(text, root[pair + 1]);
      if (key.rank == 0)
        vm->state.set_integer(made, key.integer, item);
      else
        vm->state.set_member(made, key, item);
    }
    return true;
  }
  while (child < node.next) {
    Slot item;
    slot_from_json(vm, root, text, child + 1, owner, &item);
    vm->state.set_member(made, key_of_node(text, root[child]), item);
    child = root[child + 1].next;
  }
  return true;
}
