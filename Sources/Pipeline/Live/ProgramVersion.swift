/// Which program this is.
package enum ProgramVersion {
  /// The version, as `pipeline version` shows it.
  package static let current = "0.1.0"
}
