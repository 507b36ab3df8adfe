internal import Scripting

/// The function of a configuration that makes the bodies of a channel's requests, in a machine of its own.
///
/// It is given the fields of the plain body. A table that it returns is sent as JSON, a text as it is. One that fails
/// costs no alert: the plain body goes in its place, and the user is told once until it works again.
final class BodyFunction: Sendable {
  /// The most bytes of a body.
  static let bound = 256 << 10

  private let channel: String
  private let reference: FunctionReference
  private let thread: WorkThread
  private let program: ConfigurationProgram
  private let context: ChannelContext
  /// Used on the thread alone.
  private nonisolated(unsafe) var machine: ScriptMachine?
  private nonisolated(unsafe) var isFailing = false

  /// Makes the function of a channel.
  ///
  /// - Throws: ``ChannelError`` where the configuration's text isn't at hand, or there are no more threads.
  init(_ reference: FunctionReference, forChannel name: String, context: ChannelContext) throws(ChannelError)
  {
    guard let program = context.program else {
      throw ChannelError(
        "the channel '\(name)' has a function, and the text of its configuration is not at hand")
    }
    channel = name
    self.reference = reference
    self.program = program
    self.context = context
    thread = try WorkThread(forChannel: name)
  }

  /// The body for an alert: the function's, or the plain one where it fails.
  func body(of alert: Alert, id: String) async -> [UInt8] {
    let plain = Array(alert.jsonLine(id: id).dropLast())
    // What a script publishes has its form from there.
    guard alert.kind != .published else { return plain }
    return await thread.run { self.made(from: plain, at: alert.time) } ?? plain
  }

  func close() { thread.close() }

  private func made(from plain: [UInt8], at time: Timestamp) -> [UInt8] {
    do throws(ScriptFailure) {
      let body = try call(with: plain, at: time)
      isFailing = false
      return body
    } catch {
      if !isFailing {
        isFailing = true
        context.notice(
          HostAlert.make(
            .bodyFailing, about: channel, at: context.now(),
            text:
              "the body function of channel '\(channel)' failed, so the plain body is sent: \(error.reason)"))
      }
      return plain
    }
  }

  private func call(with plain: [UInt8], at time: Timestamp) throws(ScriptFailure) -> [UInt8] {
    let machine: ScriptMachine
    if let made = self.machine {
      machine = made
    } else {
      machine = try ConfigurationFile.machine(program.file, registry: program.registry)
      machine.boundCalls(steps: 5_000_000, milliseconds: 1_000)
      self.machine = machine
    }
    let fields: Value
    do throws(JSONError) {
      fields = try Value(json: String(decoding: plain, as: UTF8.self))
    } catch {
      throw ScriptFailure(reason: "\(reference.place): \(error)")
    }
    let body: [UInt8]
    switch try machine.call(reference.number, fields, time: time.milliseconds) {
    case .text(let text): body = Array(text.utf8)
    case let table where table.isTable: body = Array(table.json.utf8)
    case let other:
      throw ScriptFailure(reason: "\(reference.place): expected a table or a text, got \(other.kindName)")
    }
    guard body.count <= Self.bound else {
      throw ScriptFailure(
        reason: "\(reference.place): expected a body of at most \(SizeText.write(Int64(Self.bound))), got "
          + SizeText.write(Int64(body.count)))
    }
    return body
  }
}

extension Value {
  fileprivate var isTable: Bool {
    switch self {
    case .list, .map: true
    case .null, .bool, .integer, .number, .text: false
    }
  }
}
