/// A generator of random numbers that repeats exactly for a seed, on every machine (xoshiro256**).
///
/// After the public-domain algorithm of Blackman and Vigna, https://prng.di.unimi.it; the seed is spread over
/// the state by splitmix64, as they advise. Not for secrets.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Starts the sequence of a seed.
  package init(seed: UInt64) {
    var seed = seed
    func next() -> UInt64 {
      seed &+= 0x9e37_79b9_7f4a_7c15
      var z = seed
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
    state = (next(), next(), next(), next())
  }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    let result = Self.rotate(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotate(state.3, by: 45)
    return result
  }

  /// A number from 0 to less than 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number below a bound.
  mutating func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

  /// A number of mean 0 and deviation 1, nearly normal and never beyond 3.5 deviations: the sum of four even
  /// ones. It needs additions only, so it is the same on every machine.
  mutating func nearlyNormal() -> Double {
    (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2
  }

  private static func rotate(_ bits: UInt64, by count: UInt64) -> UInt64 {
    (bits << count) | (bits >> (64 - count))
  }
}
