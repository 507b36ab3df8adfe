import Glibc
package import Scripting
import Threads
import WebSocket

/// The side of a command that asks a running host.
package enum ControlClient {
  /// The most bytes of an answer.
  private static let maximumBytes = 64 << 20

  /// Asks the host that listens at one of some paths.
  ///
  /// - Parameter timeout: how long the answer may take.
  /// - Returns: the answer; nil if no host listens at any of them.
  /// - Throws: ``ControlFault`` if one does and can't be asked, or did not do it.
  package static func ask(
    _ request: ControlRequest, at paths: [String], timeout: Milliseconds
  ) throws(ControlFault) -> Value? {
    for path in paths {
      if let answer = try ask(request, at: path, timeout: timeout) { return answer }
    }
    return nil
  }

  private static func ask(
    _ request: ControlRequest, at path: String, timeout: Milliseconds
  ) throws(ControlFault) -> Value? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let address: UnixAddress
    do throws(FileError) { address = try UnixAddress(path: path) } catch {
      throw ControlFault(error.description)
    }
    let descriptor = UnixAddress.makeSocket(waits: true)
    guard descriptor >= 0 else {
      throw ControlFault("can't make a socket: \(SystemFailure.last.description)")
    }
    defer { close(descriptor) }
    guard address.with({ connect(descriptor, $0, $1) }) == 0 else {
      let failure = SystemFailure.last
      if failure.number == ECONNREFUSED || failure.number == ENOENT { return nil }
      throw ControlFault("can't ask the host at \"\(path)\": \(failure.description)")
    }
    let line = Array(request.line.utf8)
    guard Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
      throw ControlFault("can't ask the host at \"\(path)\": \(SystemFailure.last.description)")
    }
    return try read(descriptor, path, deadline: monotonicNanoseconds() + UInt64(timeout.count) * 1_000_000)
  }

  private static func read(
    _ descriptor: Int32, _ path: String, deadline: UInt64
  ) throws(ControlFault) -> Value {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.last != UInt8(ascii: "\n") {
      let now = monotonicNanoseconds()
      guard now < deadline else { throw ControlFault("the host at \"\(path)\" does not answer") }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1)) > 0 else { continue }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0, bytes.count + count <= maximumBytes else {
        throw ControlFault("the host at \"\(path)\" ended without an answer")
      }
      bytes += buffer[..<count]
    }
    do throws(JSONError) {
      return try Value(json: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ControlFault("the answer of the host at \"\(path)\" is no JSON: \(error.description)")
    }
  }
}
