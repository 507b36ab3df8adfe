// One pass over the text: grammar, UTF-8 and escapes are checked for the whole document before anybody reads a
// field, so a handler never meets a fault halfway. Strings and numbers are converted when they are read.

#include <cstdlib>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "json.h"

namespace {

struct Fault {
  const unsigned char *at;
  const char *reason;
};

bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

int hex(unsigned char c) {
  if (is_digit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int hex4(const unsigned char *p) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex(p[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

// The length of the well-formed UTF-8 sequence at p (RFC 3629), 0 when there is none.
int utf8_sequence(const unsigned char *p) {
  unsigned char a = p[0];
  auto continues = [](unsigned char c) { return (c & 0xC0) == 0x80; };
  if (a < 0x80) return 1;
  if (a < 0xC2) return 0;
  if (a < 0xE0) return continues(p[1]) ? 2 : 0;
  if (a < 0xF0) {
    if (!continues(p[1]) || !continues(p[2])) return 0;
    if (a == 0xE0 && p[1] < 0xA0) return 0;
    if (a == 0xED && p[1] >= 0xA0) return 0;
    return 3;
  }
  if (a < 0xF5) {
    if (!continues(p[1]) || !continues(p[2]) || !continues(p[3])) return 0;
    if (a == 0xF0 && p[1] < 0x90) return 0;
    if (a == 0xF4 && p[1] >= 0x90) return 0;
    return 4;
  }
  return 0;
}

// The first byte from p on that a string's content must look at: quote, backslash, control or not ASCII.
inline const unsigned char *skip_plain(const unsigned char *p) {
#ifdef __SSE2__
  for (;;) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));  // signed: also everything from 0x80 on
    int mask = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), low));
    if (mask) return p + __builtin_ctz(mask);
    p += 16;
  }
#else
  while (*p != '"' && *p != '\\' && *p >= 0x20 && *p < 0x80) p++;
  return p;
#endif
}

// Checks a string's content from its first byte that is not plain; returns the closing quote, or NULL with the fault.
[[gnu::noinline]] const unsigned char *scan_rest(const unsigned char *p, const unsigned char *end, uint8_t *flags, Fault *fault) {
  for (;; p = skip_plain(p)) {
    if (*p == '"') return p;
    if (p >= end) {
      *fault = {end, "the text ends inside a string"};
      return nullptr;
    }
    if (*p == '\\') {
      *flags |= JSON_ESCAPED;
      switch (p[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
          p += 2;
          break;
        case 'u': {
          int unit = hex4(p + 2);
          if (unit < 0) {
            *fault = {p, "expected four hexadecimal digits after \\u"};
            return nullptr;
          }
          if (unit >= 0xD800 && unit < 0xE000) {
            int low = unit < 0xDC00 && p[6] == '\\' && p[7] == 'u' ? hex4(p + 8) : -1;
            if (low < 0xDC00 || low >= 0xE000) {
              *fault = {p, "a lone surrogate is not text"};
              return nullptr;
            }
            p += 6;
          }
          p += 6;
          break;
        }
        default:
          *fault = {p, "unknown escape in a string"};
          return nullptr;
      }
    } else if (*p < 0x20) {
      *fault = {p, "a control character in a string must be escaped"};
      return nullptr;
    } else {
      int length = utf8_sequence(p);
      if (length == 0 || p + length > end) {
        *fault = {p, "invalid UTF-8"};
        return nullptr;
      }
      p += length;
    }
  }
}

// Checks a string's content from p on; returns the closing quote, or NULL with the fault.
inline const unsigned char *scan_string(
  const unsigned char *p, const unsigned char *end, uint8_t *flags, Fault *fault) {
  p = skip_plain(p);
  return *p == '"' ? p : scan_rest(p, end, flags, fault);
}

// Whether 19 digits exceed what Int64 holds.
bool beyond_int64(const unsigned char *digits, size_t count, bool negative) {
  if (count != 19) return count > 19;
  return std::memcmp(digits, negative ? "9223372036854775808" : "9223372036854775807", 19) > 0;
}

// Checks a number from p on; returns the byte after it, or NULL with the fault.
const unsigned char *scan_number(const unsigned char *p, uint8_t *type, Fault *fault) {
  const unsigned char *start = p;
  bool negative = *p == '-';
  if (negative) p++;
  const unsigned char *digits = p;
  if (!is_digit(*p)) {
    *fault = {negative ? p : start, negative ? "expected a digit after '-'" : "expected a value"};
    return nullptr;
  }
  if (*p == '0') {
    p++;
  } else {
    while (is_digit(*p)) p++;
  }
  size_t whole = p - digits;
  if (is_digit(*p)) {
    *fault = {p, "a number must not begin with a zero"};
    return nullptr;
  }
  if (*p != '.' && (*p | 0x20) != 'e') {
    *type = whole >= 19 && beyond_int64(digits, whole, negative) ? JSON_BIG : JSON_INTEGER;
    return p;
  }
  *type = JSON_FLOAT;
  if (*p == '.') {
    p++;
    if (!is_digit(*p)) {
      *fault = {p, "expected a digit after the decimal point"};
      return nullptr;
    }
    while (is_digit(*p)) p++;
  }
  bool exponent = (*p | 0x20) == 'e';
  if (exponent) {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!is_digit(*p)) {
      *fault = {p, "expected a digit in the exponent"};
      return nullptr;
    }
    while (is_digit(*p)) p++;
  }
  if (exponent || whole > 300) {
    double number = json_double(reinterpret_cast<const char *>(start), p - start);
    if (number - number != 0) {
      *fault = {start, "not a finite number"};
      return nullptr;
    }
  }
  return p;
}

inline const unsigned char *skip_space(const unsigned char *p) {
  while (*p <= ' ' && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
  return p;
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
  json_tree *tree, size_t root, uint32_t object, uint32_t member, const char *text) {
  const json_node &name = tree->nodes[root + member];
  json_node &owner = tree->nodes[root + object];
  // A wide object fills the filter; its duplicates are found by reading it from the end instead.
  if (owner.length > 32) {
    owner.flags |= JSON_DUPLICATES;
    return;
  }
  for (uint32_t other = object + 1; other < member;) {
    const json_node &node = tree->nodes[root + other];
    if (node.length == name.length && std::memcmp(text + node.start, text + name.start, name.length) == 0) {
      owner.flags |= JSON_DUPLICATES;
      return;
    }
    other = tree->nodes[root + other + 1].next;
  }
}

// Marks an object in which a name stands twice. A 64-bit filter keeps the exact comparison off the usual path.
inline void note_member(
  json_tree *tree, size_t root, uint32_t object, uint32_t member, uint64_t *filter, const char *text) {
  const json_node &name = tree->nodes[root + member];
  // The bytes around an empty name are quotes.
  auto bytes = reinterpret_cast<const unsigned char *>(text + name.start);
  const unsigned hash = name.length * 7 + bytes[0] + bytes[int(name.length) - 1] * 3u + bytes[name.length / 2] * 5u;
  const uint64_t bit = uint64_t(1) << (hash & 63);
  if (*filter & bit) find_duplicate(tree, root, object, member, text);
  *filter |= bit;
}

}  // namespace

bool json_parse(json_tree *tree, const char *text, size_t length, uint32_t nesting) {
  const size_t root = tree->count;
  const auto begin = reinterpret_cast<const unsigned char *>(text);
  const auto end = begin + length;
  const unsigned char *p = begin;
  Fault fault = {begin, "out of memory"};
  uint32_t depth = 0;
  uint32_t open = 0;       // the container being filled
  uint64_t filter = 0;     // its names, roughly
  bool in_object = false;

  if (tree->stack_capacity < size_t(nesting) + 1) {
    auto stack = static_cast<uint32_t *>(std::realloc(tree->stack, (size_t(nesting) + 1) * sizeof(uint32_t)));
    if (!stack) return false;
    tree->stack = stack;
    tree->stack_capacity = size_t(nesting) + 1;
  }
  auto add = [&](uint8_t type, const unsigned char *from, size_t count) -> json_node * {
    if (tree->count == tree->capacity && !grow_nodes(tree)) return nullptr;
    json_node *node = &tree->nodes[tree->count];
    tree->count++;
    *node = {uint32_t(from - begin), uint32_t(count), uint32_t(tree->count - root), type, 0, 0};
    return node;
  };

  if (length >= 3 && std::memcmp(begin, "\xEF\xBB\xBF", 3) == 0) p += 3;
  p = skip_space(p);

value:
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
      open = uint32_t(tree->count - 1 - root);
      in_object = object;
      filter = 0;
      p = skip_space(p + 1);
      if (*p == (object ? '}' : ']')) goto close;
      if (object) goto member;
      goto value;
    }
    case '"': {
      const unsigned char *content = p + 1;
      uint8_t flags = 0;
      p = scan_string(content, end, &flags, &fault);
      if (!p) goto failed;
      json_node *node = add(JSON_STRING, content, p - content);
      if (!node) goto failed;
      node->flags = flags;
      p++;
      break;
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
    default: {
      uint8_t type = 0;
      const unsigned char *from = p;
      if (p < end && *p != '-' && !is_digit(*p)) goto unexpected;
      if (p >= end) goto unexpected;
      p = scan_number(p, &type, &fault);
      if (!p) goto failed;
      if (!add(type, from, p - from)) goto failed;
      break;
    }
  }

after:
  p = skip_space(p);
  if (depth == 0) {
    if (p == end) return true;
    fault = {p, "expected nothing after the value"};
    goto failed;
  }
  tree->nodes[root + open].length++;
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
  if (*p != '"') {
    fault = {p < end ? p : end, "expected a name in quotes"};
    goto failed;
  }
  const unsigned char *content = p + 1;
  uint8_t flags = 0;
  p = scan_string(content, end, &flags, &fault);
  if (!p) goto failed;
  json_node *node = add(JSON_STRING, content, p - content);
  if (!node) goto failed;
  node->flags = flags;
  // Names with escapes are rare: such an object is read from the end.
  if (flags) tree->nodes[root + open].flags |= JSON_DUPLICATES;
  note_member(tree, root, open, uint32_t(tree->count - 1 - root), &filter, text);
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
  tree->nodes[root + open].next = uint32_t(tree->count - root);
  depth--;
  open = tree->stack[depth];
  if (depth > 0) {
    in_object = tree->nodes[root + open].type == JSON_OBJECT;
    filter = ~uint64_t(0);  // the outer object's filter is gone: compare its further names exactly
  }
  goto after;

unexpected:
  if (p < end) fault = {p, "expected a value"};
  else fault = {end, length == 0 ? "the message is empty" : "the text ends where a value should be"};

failed:
  tree->fault_offset = uint32_t(fault.at - begin);
  tree->fault = fault.reason;
  tree->fault_node = tree->count;
  for (uint32_t i = depth; i > 0; i--) {
    tree->nodes[root + open].next = uint32_t(tree->count - root);
    open = tree->stack[i - 1];
  }
  return false;
}
