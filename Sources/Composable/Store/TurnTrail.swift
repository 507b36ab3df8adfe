/// The last actions before a turn's limit, to name the cycle that ran into it.
@usableFromInline
enum TurnTrail {
  @inlinable static var length: Int { 64 }

  /// Says that the turn was stopped, and by which actions.
  static func message(limit: Int, names: [String]) -> String {
    let cycle = Self.cycle(in: names)
    let shown = (cycle ?? Array(names.suffix(8))).joined(separator: " → ")
    return "A turn was stopped after \(limit) follow-up actions and its waiting actions were dropped: "
      + (cycle.map { _ in "\(shown) → \(cycle?.first ?? "") repeats. " } ?? "the last ones were \(shown). ")
      + "End the cycle with a condition, or let an effect wait before it sends."
  }

  /// The shortest list of names whose repetition ends the trail at least twice.
  static func cycle(in names: [String]) -> [String]? {
    guard names.count > 1 else { return nil }
    for period in 1...names.count / 2 {
      let last = names.suffix(period)
      if last.elementsEqual(names.dropLast(period).suffix(period)) { return Array(last) }
    }
    return nil
  }
}

/// The name of an action's case with those of the enums in it, as in `child.tick`.
func actionName(_ action: Any) -> String {
  var names: [String] = []
  var value = action
  while names.count < 16 {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { break }
    guard let child = mirror.children.first else {
      names.append("\(value)")
      break
    }
    names.append(child.label ?? "\(type(of: value))")
    // A payload of several parts is a tuple; the action is the one that is an enum.
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple {
      guard
        let part = Array(payload.children).last(where: { Mirror(reflecting: $0.value).displayStyle == .enum })
      else { break }
      value = part.value
    } else {
      value = child.value
    }
  }
  return names.isEmpty ? "\(type(of: action))" : names.joined(separator: ".")
}
