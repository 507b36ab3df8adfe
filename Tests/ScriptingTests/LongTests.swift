import Glibc

/// Tests that go on for minutes where the environment asks for it.
enum LongTests {
  /// Whether `PIPELINE_TEST_LONG` is set.
  static let areWanted = getenv("PIPELINE_TEST_LONG") != nil
}
