import Scripting

extension ScriptFunctions {
  /// What happens later, and what is asked of sources.
  var effects: [HostFunction] {
    [after, at, cancel, debounce, throttle, http, send, publish, connect, disconnect, subscribe, unsubscribe]
  }

  private var after: HostFunction { later(.effectAfter) }

  /// The same as `after`, which replaces what is pending: each call puts the action off.
  private var debounce: HostFunction { later(.effectDebounce) }

  private func later(_ spec: FunctionSpec) -> HostFunction {
    timer(spec) { session, name, arguments, call throws(HostFunctionError) in
      let due = Timestamp(milliseconds: call.clock) + (try duration(arguments.first))
      let payload = try payload(arguments, session, call)
      session.timers.set(name, to: ScriptTimer(due: due, payload: payload), run: call.run)
    }
  }

  private var at: HostFunction {
    timer(.effectAt) { session, name, arguments, call throws(HostFunctionError) in
      let time = try time(arguments.first)
      // Later than now at any rate, so that an action that puts itself off comes to an end.
      let due = max(time, Timestamp(milliseconds: call.clock) + Milliseconds(1))
      let payload = try payload(arguments, session, call)
      session.timers.set(name, to: ScriptTimer(due: due, payload: payload), run: call.run)
    }
  }

  private var throttle: HostFunction {
    timer(.effectThrottle) { session, name, arguments, call throws(HostFunctionError) in
      let span = try duration(arguments.first)
      let payload = try payload(arguments, session, call)
      session.timers.throttle(
        name, span, payload: payload, at: Timestamp(milliseconds: call.clock), run: call.run)
    }
  }

  private typealias SetTimer = (ScriptSession, ScriptTimer.Name, [Value], ScriptCall)
    throws(HostFunctionError)
    -> Void

  /// A function of a time or span, an action and a payload.
  private func timer(_ spec: FunctionSpec, _ set: @escaping SetTimer) -> HostFunction {
    HostFunction(spec) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let action = try self.action(arguments, at: 1)
      let key = session.machine?.keyName(call.key) ?? ""
      try set(session, ScriptTimer.Name(key: key, action: action), arguments, call)
      session.machine?.setDeadline(session.nextDue?.milliseconds ?? .max)
      return nil
    }
  }

  private func payload(
    _ arguments: [Value], _ session: ScriptSession, _ call: ScriptCall
  ) throws(HostFunctionError) -> Value {
    guard arguments.count > 2 else { return .null }
    try session.count(payload: arguments[2], call: call)
    return arguments[2]
  }

  private var cancel: HostFunction {
    HostFunction(.effectCancel) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let action = try self.action(arguments, at: 0)
      let name = ScriptTimer.Name(key: session.machine?.keyName(call.key) ?? "", action: action)
      session.timers.set(name, to: nil, run: call.run)
      return nil
    }
  }

  private var http: HostFunction {
    HostFunction(.effectHTTP) {
      [unowned session] arguments, call throws(HostFunctionError) in
      try session.request(arguments.first ?? .null, call: call)
      return nil
    }
  }

  private var send: HostFunction {
    handOver(.effectSend, to: "the name of an output or a source", "a message") {
      session, output, payload, call throws(HostFunctionError) in
      try session.send(payload, to: output, call: call)
    }
  }

  private var publish: HostFunction {
    handOver(.effectPublish, to: "the name of an output or a channel", "a value") {
      session, output, payload, call throws(HostFunctionError) in
      try session.publish(payload, to: output, call: call)
    }
  }

  private var subscribe: HostFunction { subscription(.effectSubscribe, isWanted: true) }

  private var unsubscribe: HostFunction { subscription(.effectUnsubscribe, isWanted: false) }

  private func subscription(_ spec: FunctionSpec, isWanted: Bool) -> HostFunction {
    HostFunction(spec) { [unowned session] arguments, call throws(HostFunctionError) in
      let source = try text(arguments.first, "the name of a source")
      let name = try text(arguments.count > 1 ? arguments[1] : nil, "the name of a subscription")
      var items: [String] = []
      switch arguments.count > 2 ? arguments[2] : Value.null {
      case .null: break
      case .text(let item) where !item.isEmpty: items = [item]
      case .list(let values) where !values.isEmpty:
        for value in values { items.append(try text(value, "items that are texts")) }
      case let other:
        throw HostFunctionError("expected an item or a list of items, got \(Self.described(other))")
      }
      guard items.count <= SubscriptionChanges.itemLimit else {
        throw HostFunctionError("expected at most \(SubscriptionChanges.itemLimit) items, got \(items.count)")
      }
      try session.subscribe(source, name, items: items, isWanted: isWanted, call: call)
      return nil
    }
  }

  private var connect: HostFunction {
    HostFunction(.effectConnect) {
      [unowned session] arguments, call throws(HostFunctionError) in
      session.ask(.connect(source: try text(arguments.first, "the name of a source")), run: call.run)
      return nil
    }
  }

  private var disconnect: HostFunction {
    HostFunction(.effectDisconnect) {
      [unowned session] arguments, call throws(HostFunctionError) in
      session.ask(.disconnect(source: try text(arguments.first, "the name of a source")), run: call.run)
      return nil
    }
  }
}
