// Sums that hold still: twice the digits of a double, for windows that values enter and leave again and again.

#ifndef LUA_SHIM_RUNNING_SUM_H
#define LUA_SHIM_RUNNING_SUM_H

#include <cmath>

// An unevaluated sum of two doubles, the lower within half a unit of the higher's last place.
struct Double2 {
  double high = 0, low = 0;
};

inline Double2 two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline Double2 two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

inline Double2 operator-(Double2 a) { return {-a.high, -a.low}; }

inline Double2 operator+(Double2 a, Double2 b) {
  const Double2 sum = two_sum(a.high, b.high);
  return two_sum(sum.high, sum.low + (a.low + b.low));
}

inline Double2 operator*(Double2 a, Double2 b) {
  const Double2 product = two_product(a.high, b.high);
  return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline Double2 operator/(Double2 a, double b) {
  const double quotient = a.high / b;
  const Double2 product = two_product(quotient, b);
  return two_sum(quotient, ((a.high - product.high) - product.low + a.low) / b);
}

// A sum that terms enter and leave. It knows when too little of what it once held is left to trust its last digits;
// then it wants to be summed again from its terms.
struct RunningSum {
  Double2 sum;
  double magnitude = 0;  // of all terms together, roughly
  double peak = 0;       // the largest term since the last summing

  void add(Double2 term) {
    const double size = std::fabs(term.high);
    sum = sum + term;
    magnitude += size;
    if (size > peak) peak = size;
  }
  void remove(Double2 term) {
    sum = sum + -term;
    magnitude -= std::fabs(term.high);
  }
  bool is_worn() const { return magnitude < peak / 1024; }
};

#endif
