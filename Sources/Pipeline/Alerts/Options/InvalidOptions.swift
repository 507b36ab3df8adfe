/// Everything that is wrong with a table of options, reported at once.
package struct InvalidOptions: Error, Hashable, CustomStringConvertible {
  /// One sentence a fault, unknown options first, then in the order in which the options are declared.
  package let findings: [String]

  /// Makes the error from its findings, of which there must be at least one.
  package init(findings: [String]) {
    precondition(!findings.isEmpty, "InvalidOptions needs at least one finding")
    self.findings = findings
  }

  /// The findings, one a line.
  package var description: String { findings.joined(separator: "\n") }
}
