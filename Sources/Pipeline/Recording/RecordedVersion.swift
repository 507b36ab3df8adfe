/// Which form of a script ran from a time on, as a recording keeps it: at the start, and where one took the place
/// of another.
///
///     {"time":1767225600000,"script":"watch","version":"9f86d081884c7d65"}
///
/// A replay runs the scripts at hand, whatever they are; by these lines it can say where they are others.
package struct RecordedVersion: Sendable, Hashable {
  package var time: Timestamp
  package var script: String
  /// 16 hexadecimal digits that are the same for the same text, modules, parameters and limits.
  package var version: String

  /// Makes the record of a version.
  package init(time: Timestamp, script: String, version: String) {
    self.time = time
    self.script = script
    self.version = version
  }

  /// The line of a recording, with its newline.
  package var bytes: [UInt8] {
    RecordedLine.bytes(at: time, of: "script", script) { $0.member("version", version) }
  }

  /// Reads the members of a line.
  ///
  /// - Throws: ``RecordedLineFault``.
  init(_ members: RecordedMembers, time: Timestamp) throws(RecordedLineFault) {
    let script = try members.script(beside: ["version"])
    self.init(time: time, script: script, version: try members.text("version"))
  }
}
