import Scripting

extension Scripts {
  /// Hands a message of a source to the reducers written in Swift that it feeds, and what they emit to scripts.
  func reduceNatively(
    _ messages: MessageBatch, at index: Int, _ source: Int, _ name: String, _ state: inout EngineState
  ) {
    guard messages.fault(at: index) == nil, !messages.isSkipped(at: index) else { return }
    let received = Timestamp(milliseconds: messages.received(at: index))
    for native in wiring.natives {
      guard let input = native.inputs[source] else { continue }
      let message = NativeMessage(
        messages.value(at: index), input: input, source: name,
        time: Timestamp(milliseconds: messages.time(at: index)), isReplayed: messages.isReplayed(at: index))
      switch native.stage.handle(message) {
      case .skipped: continue
      case .accepted(let alerts, let emitted, let log):
        state.hostAlerts += alerts
        for text in log { client.log(.info, native.stage.name, text) }
        for (topic, value) in emitted {
          emit(
            value, under: topic, of: native, from: UInt16(source),
            as: (message.time, received, message.isReplayed, messages.isLate(at: index)))
        }
      case .failed(let reason):
        client.log(.warn, native.stage.name, reason)
        let row = QuarantineRow(
          time: message.time, script: native.stage.name, source: name, input: input, reason: reason,
          place: "", traceback: "", message: Array(messages.bytes(at: index)))
        state.pending.quarantine.append(row)
        client.failed(row)
      }
    }
  }

  private func emit(
    _ value: Value, under topic: String, of native: EngineWiring.Native, from source: UInt16,
    as marks: (time: Timestamp, received: Timestamp, isReplayed: Bool, isLate: Bool)
  ) {
    guard let feeds = native.topics.first(where: { $0.name == topic })?.feeds else { return }
    handOn(
      value.json, time: marks.time, received: marks.received, isReplayed: marks.isReplayed,
      isLate: marks.isLate
    ) { batch in
      for feed in feeds {
        feed.runner.handle(
          batch, in: 0..<1, input: feed.input, source: native.stage.name, topic: topic, number: source)
      }
    }
  }
}
