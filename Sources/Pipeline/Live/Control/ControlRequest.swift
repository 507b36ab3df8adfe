import Scripting

/// What a command asks a running host for: one line of JSON such as `{"command":"status"}`, answered by one line.
package enum ControlRequest: String, Sendable, CaseIterable {
  case status
  case reload

  /// The most bytes of a request.
  static let maximumBytes = 4_096

  /// The request's line.
  var line: String { (["command": .text(rawValue)] as Value).json + "\n" }

  /// Reads a line without its end.
  ///
  /// - Throws: ``ControlFault`` with what is wrong.
  init(_ line: [UInt8]) throws(ControlFault) {
    let value: Value
    do throws(JSONError) {
      value = try Value(json: String(decoding: line, as: UTF8.self))
    } catch {
      throw ControlFault("expected a line of JSON: \(error.description)")
    }
    let known = Self.allCases.map(\.rawValue)
    guard let name = value["command"]?.text else {
      throw ControlFault("expected {\"command\": …} with one of \(known.joined(separator: ", "))")
    }
    guard let request = Self(rawValue: name) else {
      throw ControlFault("unknown command '\(name.prefix(60))'; \(Suggestion.hint(for: name, among: known))")
    }
    self = request
  }
}

/// Why a running host did not do what it was asked for, in one sentence.
package struct ControlFault: Error, Hashable, CustomStringConvertible {
  package var description: String

  /// Makes a fault from its sentence.
  package init(_ description: String) { self.description = description }

  /// The fault as an answer.
  var answer: Value { ["ok": false, "error": .text(description)] }
}

/// The begin of a connection: bytes gather until they make one request.
struct ControlReading {
  private var bytes: [UInt8] = []

  enum Step: Equatable {
    case more
    case request(ControlRequest)
    case fault(ControlFault)
  }

  /// Takes bytes in; what comes behind the first line does not count.
  mutating func take(_ chunk: some Sequence<UInt8>) -> Step {
    for byte in chunk {
      if byte == UInt8(ascii: "\n") {
        do throws(ControlFault) { return .request(try ControlRequest(bytes)) } catch { return .fault(error) }
      }
      bytes.append(byte)
      guard bytes.count <= ControlRequest.maximumBytes else {
        return .fault(ControlFault("a request has \(ControlRequest.maximumBytes) bytes at most"))
      }
    }
    return .more
  }
}
