/// Why something could not be stored or read, in one sentence that names the file and what to do.
package struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What a caller may want to tell apart.
  package enum Kind: Sendable, Hashable {
    case missingFolder
    case readOnly
    /// The file belongs to something else; it was not touched.
    case foreign
    /// Another host uses the file.
    case inUse
    /// Another process holds a lock for longer than the time allowed.
    case locked
    case full
    /// The file was written by a later version of the program.
    case newer
    /// The file is damaged.
    case unreadable
    /// The file was moved or deleted while it was in use.
    case moved
    /// The program ends, and there is too much to write in the time that is left.
    case outOfTime
    case closed
    case failed
  }

  package var kind: Kind
  package var description: String

  /// Makes an error from its kind and its sentence.
  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
