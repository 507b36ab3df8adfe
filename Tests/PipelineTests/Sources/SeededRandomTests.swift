import Testing

@testable import Pipeline

@Suite("Random numbers from a seed")
struct SeededRandomTests {
  @Test("The sequence is the published one")
  func published() {
    var zero = SeededRandom(seed: 0)
    var answer = SeededRandom(seed: 42)
    let first = (0..<3).map { _ in zero.next() }
    #expect(first == [0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0])
    let second = (0..<3).map { _ in answer.next() }
    #expect(second == [0x1578_0b2e_0c2e_c716, 0x6104_d986_6d11_3a7e, 0xae17_5332_39e4_99a1])
  }

  @Test("Numbers keep to their ranges")
  func ranges() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<10_000 {
      let (unit, number, normal) = (random.unit(), random.below(7), random.nearlyNormal())
      #expect((0..<1).contains(unit) && number < 7 && abs(normal) <= 3.4642)
    }
    let only = random.below(1)
    #expect(only == 0)
  }
}
