import Testing

extension Tag {
  /// What goes wrong in the life of a program and must not bring it down: `grep badDay` finds these tests.
  @Tag static var badDay: Self
}
