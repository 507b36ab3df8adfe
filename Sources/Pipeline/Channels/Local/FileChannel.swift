import Glibc
import Threads

/// Appends alerts to a file, a line of JSON each.
package struct FileChannel: Channel {
  package let name: String
  private let path: String
  private let writer: DescriptorWriter

  /// Opens the file, and makes it if it is missing; its folder has to be there.
  ///
  /// If the file is moved away later, as programs that rotate logs do, a new one is made for the next alert.
  /// If the file ends in the beginning of an alert that a crash cut off, that is taken away before the first alert,
  /// since it is told again; any other line without a newline gets one. With `synchronized` an alert counts as
  /// delivered once it is on the disk. Throws a ``ChannelError``.
  package init(
    name: String, path: String, synchronized: Bool = false, rotation: FileRotation? = nil
  ) throws(ChannelError) {
    self.name = name
    self.path = path
    do {
      writer = try DescriptorWriter(appendingTo: path, synchronized: synchronized, rotation: rotation)
    } catch {
      if error.number == ENOENT {
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        throw ChannelError(
          "the folder '\(folder.isEmpty ? "/" : folder)' of the file '\(path)' of the channel '\(name)' "
            + "does not exist; make it or name another file")
      }
      throw ChannelError(
        "the channel '\(name)' can't write its file '\(path)': \(error.description); "
          + "make it writable or name another file")
    }
  }

  package func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    guard let failure = await writer.write(alert.jsonLine(id: id)) else { return .delivered }
    return .retry(after: nil, reason: "can't write the file '\(path)': \(failure.description)")
  }
}
