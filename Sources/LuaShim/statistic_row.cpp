// A statistic as plain data: what it is, its value for those who look at the row, its memory and its window.

#include <cmath>
#include <cstring>
#include <string>

#include "slots.h"

static void write_number(double number, std::string &out) {
  char text[32];
  out.append(text, json_write_double(number, text));
}

static void write_numbers(const double *numbers, size_t count, std::string &out) {
  out.push_back('[');
  for (size_t i = 0; i < count; i++) {
    if (i) out.push_back(',');
    write_number(numbers[i], out);
  }
  out.push_back(']');
}

void StateStore::write_statistic(const Statistic &statistic, std::string &out) const {
  char text[32];
  out.append("{\"$statistic\":\"").append(statistic_names[int(statistic.spec.kind)]).append("\"");
  if (statistic.spec.count)
    out.append(",\"count\":").append(text, json_write_integer(statistic.spec.count, text));
  double numbers[statistic_memory_size];
  std::memcpy(numbers, &statistic.memory(), sizeof numbers);
  size_t count = statistic_memory_size;
  while (count > 0 && numbers[count - 1] == 0 && !std::signbit(numbers[count - 1])) count--;
  out.append(",\"memory\":");
  write_numbers(numbers, count, out);
  if (statistic.spec.over) out.append(",\"over\":").append(text, json_write_integer(statistic.spec.over, text));
  double value;
  out.append(",\"value\":");
  if (statistic.value(statistic.time(), &value)) write_number(value, out);
  else out.append("null");
  out.append(",\"window\":");
  write_numbers(statistic.window(), statistic.window_size(), out);
  out.push_back('}');
}

static bool read_number(const json_node &node, const char *text, double *number) {
  if (node.type == JSON_INTEGER) *number = double(json_integer(text + node.start, node.length));
  else if (node.type == JSON_FLOAT) *number = json_double(text + node.start, node.length);
  else return false;
  return std::isfinite(*number);
}

static bool read_numbers(const json_node *root, const char *text, uint32_t list, std::vector<double> *numbers) {
  if (list == 0 || root[list].type != JSON_ARRAY) return false;
  for (uint32_t node = list + 1; node < root[list].next; node = root[node].next) {
    double number;
    if (!read_number(root[node], text, &number)) return false;
    numbers->push_back(number);
  }
  return true;
}

bool statistic_in_json(const json_node *root, const char *text, uint32_t node) {
  return root[node].type == JSON_OBJECT && json_member(root, text, node, "$statistic", 10) != 0;
}

bool statistic_from_json(script_vm *vm, const json_node *root, const char *text, uint32_t node, uint32_t index) {
  const StatisticSpec &spec = vm->state.statistic(index).spec;
  const uint32_t name = json_member(root, text, node, "$statistic", 10);
  const char *expected = statistic_names[int(spec.kind)];
  if (root[name].length != std::strlen(expected) || std::memcmp(text + root[name].start, expected, root[name].length))
    return true;
  double count = 0, over = 0;
  if (const uint32_t member = json_member(root, text, node, "count", 5)) read_number(root[member], text, &count);
  if (const uint32_t member = json_member(root, text, node, "over", 4)) read_number(root[member], text, &over);
  if (count != double(spec.count) || over != double(spec.over)) return true;
  std::vector<double> numbers, window;
  if (!read_numbers(root, text, json_member(root, text, node, "memory", 6), &numbers) ||
      !read_numbers(root, text, json_member(root, text, node, "window", 6), &window) ||
      numbers.size() > statistic_memory_size)
    return false;
  StatisticMemory memory;
  if (!numbers.empty()) std::memcpy(static_cast<void *>(&memory), numbers.data(), numbers.size() * sizeof(double));
  return vm->state.load_statistic(index, memory, std::move(window));
}
