/// What differs between two values, by the path of each part.
package struct Difference: CustomStringConvertible {
  /// One part that differs: `rows[id: 3].title: "a" → "b"`.
  package struct Line: Equatable {
    package let path: String
    package let old: String?
    package let new: String?
  }

  /// How many lines are kept; the rest is counted.
  package static let limit = 24
  private static let depthLimit = 32

  package private(set) var lines: [Line] = []
  package private(set) var omitted = 0

  /// - Parameter path: What the paths of the parts begin with.
  package init<Value>(from old: Value, to new: Value, below path: String = "") {
    compare(old, new, path: path, depth: 0)
  }

  package var isEmpty: Bool { lines.isEmpty }

  /// One line per part, indented by two.
  package var description: String {
    var text = lines.map { line in
      let path = line.path.isEmpty ? "" : line.path + ": "
      return switch (line.old, line.new) {
      case (let old?, let new?): "  \(path)\(old) → \(new)"
      case (let old?, nil): "  \(path)\(old) is gone"
      case (nil, let new?): "  \(path)\(new) is new"
      case (nil, nil): "  \(path)"
      }
    }
    if omitted > 0 { text.append("  and \(omitted) more") }
    return text.joined(separator: "\n")
  }

  private mutating func add(_ path: String, _ old: String?, _ new: String?) {
    if lines.count < Self.limit {
      lines.append(Line(path: path, old: old, new: new))
    } else {
      omitted += 1
    }
  }

  private mutating func compare(_ old: Any, _ new: Any, path: String, depth: Int) {
    if let old = old as? any Equatable, old.equals(new) { return }
    let oldMirror = Mirror(reflecting: old)
    let newMirror = Mirror(reflecting: new)
    guard depth < Self.depthLimit, type(of: old) == type(of: new),
      oldMirror.displayStyle == newMirror.displayStyle
    else { return addUnlessSame(path, old, new) }
    switch oldMirror.displayStyle {
    case .struct, .class, .tuple:
      guard !oldMirror.children.isEmpty else { return addUnlessSame(path, old, new) }
      compareMembers(oldMirror, newMirror, path: path, depth: depth, whole: (old, new))
    case .enum:
      compareCases(oldMirror, newMirror, path: path, depth: depth, whole: (old, new))
    case .optional:
      guard let oldValue = oldMirror.children.first?.value, let newValue = newMirror.children.first?.value
      else { return addUnlessSame(path, old, new) }
      compare(oldValue, newValue, path: path, depth: depth + 1)
    case .collection:
      compareElements(oldMirror, newMirror, path: path, depth: depth)
    case .dictionary:
      compareKeyed(
        oldMirror.children.map { pair($0.value) }, newMirror.children.map { pair($0.value) }, path: path,
        depth: depth)
    case .set:
      compareKeyed(
        oldMirror.children.map { (shown($0.value), $0.value) },
        newMirror.children.map { (shown($0.value), $0.value) }, path: path, depth: depth)
    default: addUnlessSame(path, old, new)
    }
  }

  private mutating func addUnlessSame(_ path: String, _ old: Any, _ new: Any) {
    let (oldText, newText) = (shown(old), shown(new))
    if oldText != newText || old is any Equatable { add(path, oldText, newText) }
  }

  private mutating func compareMembers(
    _ old: Mirror, _ new: Mirror, path: String, depth: Int, whole: (Any, Any)
  ) {
    let before = lines.count + omitted
    for (index, pair) in zip(old.children, new.children).enumerated() {
      // The compiler labels the parts of a tuple without names by their numbers: `.0`.
      let label = pair.0.label ?? "\(index)"
      let name = label.hasPrefix(".") ? String(label.dropFirst()) : label
      compare(
        pair.0.value, pair.1.value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
    }
    // Unequal as a whole, though no member shows it: say so rather than nothing.
    if lines.count + omitted == before, whole.0 is any Equatable {
      add(path, shown(whole.0), shown(whole.1))
    }
  }

  private mutating func compareCases(
    _ old: Mirror, _ new: Mirror, path: String, depth: Int, whole: (Any, Any)
  ) {
    guard let oldChild = old.children.first, let newChild = new.children.first,
      oldChild.label == newChild.label, let label = oldChild.label
    else { return addUnlessSame(path, whole.0, whole.1) }
    compare(
      oldChild.value, newChild.value, path: path.isEmpty ? label : "\(path).\(label)", depth: depth + 1)
  }

  private mutating func compareElements(_ old: Mirror, _ new: Mirror, path: String, depth: Int) {
    let oldItems = Array(old.children)
    let newItems = Array(new.children)
    if oldItems.contains(where: { $0.label != nil }) || newItems.contains(where: { $0.label != nil }) {
      return compareKeyed(
        oldItems.map { ($0.label ?? "", $0.value) }, newItems.map { ($0.label ?? "", $0.value) }, path: path,
        depth: depth)
    }
    for index in 0..<max(oldItems.count, newItems.count) {
      let place = "\(path)[\(index)]"
      if index >= oldItems.count {
        add(place, nil, shown(newItems[index].value))
      } else if index >= newItems.count {
        add(place, shown(oldItems[index].value), nil)
      } else {
        compare(oldItems[index].value, newItems[index].value, path: place, depth: depth + 1)
      }
    }
  }

  private mutating func compareKeyed(
    _ old: [(key: String, value: Any)], _ new: [(key: String, value: Any)], path: String, depth: Int
  ) {
    let newByKey = Dictionary(new.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let oldByKey = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let before = lines.count + omitted
    for (key, value) in old {
      if let other = newByKey[key] {
        compare(value, other, path: path + key, depth: depth + 1)
      } else {
        add(path + key, shown(value), nil)
      }
    }
    for (key, value) in new where oldByKey[key] == nil { add(path + key, nil, shown(value)) }
    if lines.count + omitted == before, old.map(\.key) != new.map(\.key) {
      add(path, "order \(old.map(\.key).joined())", "order \(new.map(\.key).joined())")
    }
  }

  private func pair(_ element: Any) -> (String, Any) {
    let parts = Array(Mirror(reflecting: element).children)
    return parts.count == 2 ? ("[\(shown(parts[0].value))]", parts[1].value) : (shown(element), element)
  }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}
