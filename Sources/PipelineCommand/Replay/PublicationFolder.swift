import Glibc
import Pipeline
import Scripting

/// Keeps in files what a replay would have sent outside.
///
/// Each channel has a file `channels/NAME.ndjson` with what it would have got; `sent.ndjson` holds messages of scripts
/// to servers, and `requests.ndjson` their HTTP requests, without headers, since these are where secrets are.
final class PublicationFolder {
  private let folder: String
  private var files: [String: PublicationFile] = [:]

  /// Makes the folder unless it is there.
  ///
  /// - Throws: `FileError` if it can't be made.
  init(_ folder: String) throws(FileError) {
    self.folder = folder
    try TextFile.makeFolder(folder)
    try TextFile.makeFolder("\(folder)/channels")
    // Files of an earlier replay would pass for this one's.
    for name in TextFile.names(in: "\(folder)/channels") where name.hasSuffix(".ndjson") {
      unlink("\(folder)/channels/\(name)")
    }
    for name in ["sent", "requests"] { unlink("\(folder)/\(name).ndjson") }
  }

  /// Adds an alert or a published value to what a channel got.
  func add(_ alert: Alert, channel: String) throws(FileError) {
    try write(alert.jsonLine(id: alert.id), "channels/\(channel)")
  }

  /// Adds what a script asked for, if it goes outside.
  func add(_ request: ScriptRequest, of script: String, at time: Timestamp) throws(FileError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("time")
    writer.text(time.rfc3339())
    writer.key("script")
    writer.text(script)
    let name: String
    switch request {
    case .send(_, let source, let text):
      name = "sent"
      writer.key("source")
      writer.text(source)
      writer.key("text")
      writer.text(text)
    case .http(let web):
      name = "requests"
      writer.key("key")
      writer.text(web.key)
      writer.key("method")
      writer.text(web.method)
      writer.key("url")
      writer.text(web.url)
      writer.key("body")
      writer.text(String(decoding: web.body, as: UTF8.self))
    case .alert, .log, .connect, .disconnect, .subscribe, .emit, .publish: return
    }
    writer.endObject()
    try write(writer.bytes + [UInt8(ascii: "\n")], name)
  }

  private func write(_ line: [UInt8], _ name: String) throws(FileError) {
    if files[name] == nil { files[name] = try PublicationFile("\(folder)/\(name).ndjson") }
    try files[name]?.write(line)
  }

  /// Writes what is left.
  ///
  /// - Throws: `FileError` if that fails.
  func finish() throws(FileError) {
    for file in files.values { try file.finish() }
  }
}

/// A file that is written from its beginning, in large pieces.
private final class PublicationFile {
  private static let pieceBytes = 64 << 10

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: [UInt8]) throws(FileError) {
    buffer += bytes
    if buffer.count >= Self.pieceBytes { try finish() }
  }

  func finish() throws(FileError) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      rest = rest.dropFirst(count)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure() -> FileError {
    FileError("can't write \"\(path)\": \(String(cString: strerror(errno)))")
  }
}
