/// A value as failure texts show it: one line of at most 200 characters.
package func shown(_ value: Any) -> String {
  var text = ""
  show(value, in: &text, depth: 0)
  return text.count > 200 ? text.prefix(199) + "…" : text
}

private func show(_ value: Any, in text: inout String, depth: Int) {
  // Cut here too, so that a large value isn't described in full.
  guard text.utf8.count < 1_000, depth < 24 else { return text += "…" }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional:
    if let child = mirror.children.first {
      show(child.value, in: &text, depth: depth + 1)
    } else {
      text += "nil"
    }
  case .enum:
    if value is any CustomStringConvertible { return text += "\(value)" }
    guard let child = mirror.children.first else { return text += ".\(value)" }
    text += ".\(child.label ?? "?")"
    let isTuple = Mirror(reflecting: child.value).displayStyle == .tuple
    if !isTuple { text += "(" }
    show(child.value, in: &text, depth: depth + 1)
    if !isTuple { text += ")" }
  case .tuple: showChildren(of: mirror, "(", ")", in: &text, depth: depth)
  case .collection, .set: showChildren(of: mirror, "[", "]", in: &text, depth: depth, labeled: false)
  case .dictionary:
    text += "["
    for (index, child) in mirror.children.enumerated() {
      if index > 0 { text += ", " }
      let parts = Array(Mirror(reflecting: child.value).children)
      guard parts.count == 2, text.utf8.count < 1_000 else { break }
      show(parts[0].value, in: &text, depth: depth + 1)
      text += ": "
      show(parts[1].value, in: &text, depth: depth + 1)
    }
    text += mirror.children.isEmpty ? ":]" : "]"
  case .struct, .class:
    if mirror.children.isEmpty || value is any CustomStringConvertible {
      return text += value is String || value is Substring ? String(reflecting: value) : "\(value)"
    }
    text += "\(type(of: value))"
    showChildren(of: mirror, "(", ")", in: &text, depth: depth)
  default: text += value is String ? String(reflecting: value) : "\(value)"
  }
}

private func showChildren(
  of mirror: Mirror, _ open: String, _ close: String, in text: inout String, depth: Int, labeled: Bool = true
) {
  text += open
  for (index, child) in mirror.children.enumerated() {
    if text.utf8.count >= 1_000 { break }
    if index > 0 { text += ", " }
    // The compiler labels the parts of a tuple without names by their numbers: `.0`.
    if labeled, let label = child.label, !label.hasPrefix(".") { text += "\(label): " }
    show(child.value, in: &text, depth: depth + 1)
  }
  text += close
}
