// The grammar of JSON's texts and numbers: where each ends, and whether it is one. Texts are UTF-8 (RFC 3629).

#ifndef LUA_SHIM_JSON_SCAN_H
#define LUA_SHIM_JSON_SCAN_H

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

// The first byte from p on that is no digit.
inline const unsigned char *skip_digits(const unsigned char *p) {
#ifdef __SSE2__
  for (;;) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
    const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    const unsigned others = unsigned(_mm_movemask_epi8(digits)) ^ 0xFFFF;
    if (others) return p + __builtin_ctz(others);
    p += 16;
  }
#else
  while (is_digit(*p)) p++;
  return p;
#endif
}

// Checks what follows the digits of a number's whole part; returns the byte after it, or NULL with the fault.
[[gnu::noinline]] const unsigned char *scan_exponent(
  const unsigned char *start, const unsigned char *p, Fault *fault) {
  if ((*p | 0x20) == 'e') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!is_digit(*p)) {
      *fault = {p, "expected a digit in the exponent"};
      return nullptr;
    }
    p = skip_digits(p);
  }
  const double number = json_double(reinterpret_cast<const char *>(start), size_t(p - start));
  if (number - number == 0) return p;
  *fault = {start, "not a finite number"};
  return nullptr;
}

// Checks a number from p on; returns the byte after it, or NULL with the fault.
inline const unsigned char *scan_number(const unsigned char *p, uint8_t *type, Fault *fault) {
  const unsigned char *const start = p;
  const bool negative = *p == '-';
  const unsigned char *const digits = p + negative;
  p = skip_digits(digits);
  const size_t whole = size_t(p - digits);
  if (whole == 0) {
    *fault = {p, negative ? "expected a digit after '-'" : "expected a value"};
    return nullptr;
  }
  if (*digits == '0' && whole > 1) {
    *fault = {digits + 1, "a number must not begin with a zero"};
    return nullptr;
  }
  if (*p != '.' && (*p | 0x20) != 'e') {
    *type = whole >= 19 && beyond_int64(digits, whole, negative) ? JSON_BIG : JSON_INTEGER;
    return p;
  }
  *type = JSON_FLOAT;
  if (*p == '.') {
    const unsigned char *const fraction = p + 1;
    p = skip_digits(fraction);
    if (p == fraction) {
      *fault = {p, "expected a digit after the decimal point"};
      return nullptr;
    }
  }
  return (*p | 0x20) == 'e' || whole > 300 ? scan_exponent(start, p, fault) : p;
}

inline const unsigned char *skip_space(const unsigned char *p) {
  while (*p <= ' ' && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
  return p;
}

}  // namespace

#endif
