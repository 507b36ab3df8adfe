internal import Glibc

/// Tests that go on for minutes where the environment asks for it.
package enum LongTests {
  /// Whether `PIPELINE_TEST_LONG` is set.
  package static let areWanted = getenv("PIPELINE_TEST_LONG") != nil
}
