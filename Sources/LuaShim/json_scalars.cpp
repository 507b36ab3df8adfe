// Between JSON's texts and numbers and the machine's.

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "json.h"

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

int unit(const char *p) {
  return hex_digit(p[0]) << 12 | hex_digit(p[1]) << 8 | hex_digit(p[2]) << 4 | hex_digit(p[3]);
}

char *put_utf8(char *out, int code) {
  if (code < 0x80) {
    *out++ = char(code);
  } else if (code < 0x800) {
    *out++ = char(0xC0 | code >> 6);
    *out++ = char(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out++ = char(0xE0 | code >> 12);
    *out++ = char(0x80 | (code >> 6 & 0x3F));
    *out++ = char(0x80 | (code & 0x3F));
  } else {
    *out++ = char(0xF0 | code >> 18);
    *out++ = char(0x80 | (code >> 12 & 0x3F));
    *out++ = char(0x80 | (code >> 6 & 0x3F));
    *out++ = char(0x80 | (code & 0x3F));
  }
  return out;
}

}  // namespace

size_t json_unescape(const char *content, size_t length, char *out) {
  const char *p = content, *end = content + length;
  char *start = out;
  while (p < end) {
    if (*p != '\\') {
      *out++ = *p++;
      continue;
    }
    char c = p[1];
    p += 2;
    switch (c) {
      case 'b': *out++ = '\b'; break;
      case 'f': *out++ = '\f'; break;
      case 'n': *out++ = '\n'; break;
      case 'r': *out++ = '\r'; break;
      case 't': *out++ = '\t'; break;
      case 'u': {
        int code = unit(p);
        p += 4;
        if (code >= 0xD800 && code < 0xDC00) {
          code = 0x10000 + ((code - 0xD800) << 10) + (unit(p + 2) - 0xDC00);
          p += 6;
        }
        out = put_utf8(out, code);
        break;
      }
      default: *out++ = c;
    }
  }
  return out - start;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// The number that eight digits stand for: pairs, pairs of those, and their pair, side by side in one word.
static inline uint64_t eight_digits(const char *digits) {
  uint64_t word;
  std::memcpy(&word, digits, sizeof word);
  word -= 0x3030303030303030;
  word = word * 10 + (word >> 8);
  return ((word & 0x000000FF000000FF) * 0x000F424000000064 + (word >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >> 32;
}
#endif

int64_t json_integer(const char *digits, size_t length) {
  const bool negative = length > 0 && digits[0] == '-';
  uint64_t value = 0;
  size_t i = negative;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; length - i >= 8; i += 8) value = value * 100000000 + eight_digits(digits + i);
#endif
  for (; i < length; i++) value = value * 10 + uint64_t(digits[i] - '0');
  return int64_t(negative ? 0 - value : value);
}

// Reads a decimal number of up to 15 digits without an exponent; false for every other text. The result is exact: both
// operands are exact doubles, so the one division rounds once.
static inline bool short_decimal(const char *text, size_t length, double *number) {
  static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (length == 0 || length > 17) return false;
  const char *p = text, *const end = text + length;
  const bool negative = *p == '-';
  p += negative;
  const char *const start = p;
  uint64_t mantissa = 0;
  for (unsigned digit; p < end && (digit = unsigned(*p - '0')) < 10; p++) mantissa = mantissa * 10 + digit;
  size_t count = size_t(p - start), fraction = 0;
  if (p < end && *p == '.') {
    const char *const point = ++p;
    for (unsigned digit; p < end && (digit = unsigned(*p - '0')) < 10; p++) mantissa = mantissa * 10 + digit;
    fraction = size_t(p - point);
    count += fraction;
  }
  if (p != end || count == 0 || count > 15) return false;
  const double value = double(mantissa) / powers[fraction];
  *number = negative ? -value : value;
  return true;
}

double json_double(const char *digits, size_t length) {
  double exact;
  if (short_decimal(digits, length, &exact)) return exact;
  double value = 0;
  auto result = std::from_chars(digits, digits + length, value);
  if (result.ec == std::errc::result_out_of_range) {
    // Too small is zero or subnormal, too large is infinite; strtod tells them apart.
    char small[64];
    char *copy = length < sizeof small ? small : static_cast<char *>(std::malloc(length + 1));
    if (!copy) return HUGE_VAL;
    std::memcpy(copy, digits, length);
    copy[length] = 0;
    value = std::strtod(copy, nullptr);
    if (copy != small) std::free(copy);
  }
  return value;
}

bool json_number_text(const char *text, size_t length, double *number) {
  if (short_decimal(text, length, number)) return true;
  const char *p = text, *end = text + length;
  auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (p < end && space(*p)) p++;
  while (p < end && space(end[-1])) end--;
  const char *start = p;
  if (p < end && *p == '+') start = ++p;
  else if (p < end && *p == '-') p++;
  size_t digits = 0;
  while (p < end && unsigned(*p - '0') < 10) p++, digits++;
  if (p < end && *p == '.') {
    p++;
    while (p < end && unsigned(*p - '0') < 10) p++, digits++;
  }
  if (digits == 0) return false;
  if (p < end && (*p | 0x20) == 'e') {
    p++;
    if (p < end && (*p == '+' || *p == '-')) p++;
    if (p == end) return false;
    while (p < end && unsigned(*p - '0') < 10) p++;
    if (unsigned(p[-1] - '0') >= 10) return false;
  }
  if (p != end) return false;
  *number = json_double(start, end - start);
  return std::isfinite(*number);
}

size_t json_write_double(double number, char *out) {
  char *end = std::to_chars(out, out + 28, number).ptr;
  bool marked = false;
  for (char *p = out; p < end; p++) marked |= *p == '.' || *p == 'e';
  if (!marked) {
    *end++ = '.';
    *end++ = '0';
  }
  return end - out;
}

size_t json_write_integer(int64_t integer, char *out) { return std::to_chars(out, out + 24, integer).ptr - out; }

bool json_valid_utf8(const char *bytes, size_t length) {
  auto p = reinterpret_cast<const unsigned char *>(bytes), end = p + length;
  while (p < end) {
    if (*p < 0x80) {
      p++;
      continue;
    }
    size_t count = *p >= 0xF0 ? 4 : *p >= 0xE0 ? 3 : 2;
    if (*p < 0xC2 || *p > 0xF4 || size_t(end - p) < count) return false;
    if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) || (*p == 0xF0 && p[1] < 0x90) ||
        (*p == 0xF4 && p[1] > 0x8F))
      return false;
    for (size_t i = 1; i < count; i++)
      if ((p[i] & 0xC0) != 0x80) return false;
    p += count;
  }
  return true;
}
