import Glibc

/// Appends alerts to a file, a line of JSON each.
package struct FileChannel: Channel {
  package let name: String
  private let path: String
  private let writer: DescriptorWriter

  /// Opens the file, and makes it if it is missing; its folder has to be there.
  ///
  /// If the file does not end in a newline, as after a crash, one is written before the first alert. With
  /// `synchronized` an alert counts as delivered once it is on the disk. Throws a ``ChannelError``.
  package init(name: String, path: String, synchronized: Bool = false) throws(ChannelError) {
    self.name = name
    self.path = path
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let failure = SystemFailure(number: errno)
      if failure.number == ENOENT {
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        throw ChannelError(
          "the folder '\(folder.isEmpty ? "/" : folder)' of the file '\(path)' of the channel '\(name)' "
            + "does not exist; make it or name another file")
      }
      throw ChannelError(
        "the channel '\(name)' can't write its file '\(path)': \(failure.description); "
          + "make it writable or name another file")
    }
    do {
      writer = try DescriptorWriter(
        descriptor, owned: true, synchronized: synchronized, torn: Self.isTorn(descriptor))
    } catch {
      close(descriptor)
      throw ChannelError("the channel '\(name)' can't start its thread: \(error.description)")
    }
  }

  package func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    guard let failure = await writer.write(alert.jsonLine(id: id)) else { return .delivered }
    return .retry(after: nil, reason: "can't write the file '\(path)': \(failure.description)")
  }

  /// Whether a file ends in the middle of a line.
  private static func isTorn(_ descriptor: Int32) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else {
      return false
    }
    var last: UInt8 = 0
    return pread(descriptor, &last, 1, info.st_size - 1) == 1 && last != UInt8(ascii: "\n")
  }
}
