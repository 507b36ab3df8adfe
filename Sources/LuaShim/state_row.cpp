// The row that storage keeps of a key: JSON, lossless, with the fields in the order of their names.
//
// A field that was set to nil stands in the list under the empty name. A map with keys that aren't text is
// written as {"$pairs": [[key, value], …]}, as is one that has a member of that name or of "$statistic".
// A statistic is written as {"$statistic": "sma", …}, see statistic_row.cpp.

#include "json.h"
#include "state.h"

void append_json_text(std::string &out, const char *bytes, size_t length) {
  static const char digits[] = "0123456789abcdef";
  out.push_back('"');
  size_t plain = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) continue;
    out.append(bytes + plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out.append("\\\""); break;
      case '\\': out.append("\\\\"); break;
      case '\n': out.append("\\n"); break;
      case '\r': out.append("\\r"); break;
      case '\t': out.append("\\t"); break;
      default:
        out.append("\\u00");
        out.push_back(digits[c >> 4]);
        out.push_back(digits[c & 15]);
    }
  }
  out.append(bytes + plain, length - plain);
  out.push_back('"');
}

static void write_key(const MapKey &key, std::string &out) {
  char number[32];
  switch (key.rank) {
    case 0: out.append(number, json_write_integer(key.integer, number)); break;
    case 1: out.append(number, json_write_double(key.number, number)); break;
    case 2: out.append(key.integer ? "true" : "false"); break;
    default: append_json_text(out, key.text.data(), key.text.size());
  }
}

void StateStore::write_slot(const Slot &slot, std::string &out) const {
  char number[32];
  switch (slot.kind) {
    case SlotKind::absent:
    case SlotKind::null: out.append("null"); return;
    case SlotKind::no: out.append("false"); return;
    case SlotKind::yes: out.append("true"); return;
    case SlotKind::integer: out.append(number, json_write_integer(slot.integer, number)); return;
    case SlotKind::number: out.append(number, json_write_double(slot.number, number)); return;
    case SlotKind::text: append_json_text(out, slot.text->bytes, slot.text->count); return;
    case SlotKind::statistic: write_statistic(*statistics_[slot.statistic], out); return;
    case SlotKind::container: break;
  }
  const Container &owner = *containers_[slot.container];
  if (owner.map.empty() && (owner.size() > 0 || owner.tagged_list)) {
    out.push_back('[');
    for (size_t i = 0; i < owner.size(); i++) {
      if (i) out.push_back(',');
      write_slot(owner.item(i), out);
    }
    out.push_back(']');
    return;
  }
  bool plain = owner.size() == 0;
  for (const auto &member : owner.map)
    plain = plain && member.first.rank == 3 && member.first.text != "$pairs" && member.first.text != "$statistic";
  bool first = true;
  if (plain) {
    out.push_back('{');
    for (const auto &member : owner.map) {
      if (!first) out.push_back(',');
      first = false;
      write_key(member.first, out);
      out.push_back(':');
      write_slot(member.second, out);
    }
    out.push_back('}');
    return;
  }
  out.append("{\"$pairs\":[");
  for (size_t i = 0; i < owner.size(); i++) {
    out.append(first ? "[" : ",[");
    first = false;
    out.append(number, json_write_integer(int64_t(i + 1), number));
    out.push_back(',');
    write_slot(owner.item(i), out);
    out.push_back(']');
  }
  for (const auto &member : owner.map) {
    out.append(first ? "[" : ",[");
    first = false;
    write_key(member.first, out);
    out.push_back(',');
    write_slot(member.second, out);
    out.push_back(']');
  }
  out.append("]}");
}

void StateStore::write_row(uint32_t index, std::string &out) const {
  const KeyState &key = keys_[index];
  std::string absent;
  out.push_back('{');
  bool first = true;
  for (size_t i = 0; i < fields.size(); i++) {
    if (key.slots[i].kind == SlotKind::absent) {
      if (!absent.empty()) absent.push_back(',');
      append_json_text(absent, fields[i].data(), fields[i].size());
      continue;
    }
    if (!first) out.push_back(',');
    first = false;
    append_json_text(out, fields[i].data(), fields[i].size());
    out.push_back(':');
    write_slot(key.slots[i], out);
  }
  if (!absent.empty()) {
    if (!first) out.push_back(',');
    out.append("\"\":[").append(absent).append("]");
  }
  out.push_back('}');
}
