import Scripting

extension Value {
  /// The value with its placeholders filled in.
  ///
  /// A text that is nothing but a placeholder becomes what it stands for, whatever its kind; within a text it is
  /// replaced by the text of that. `{items}` stands for the list of the items, and within a text for all of them
  /// with commas between. Where an element of a list holds `{item}`, it stands there once for each item;
  /// elsewhere `{item}` is the first one. `{item:lower}` is the same in lower case. A placeholder that nobody knows
  /// stays as it is.
  func filled(items: [String] = [], _ known: (String) -> Value?) -> Value {
    func fill(_ value: Value, item: String?) -> Value {
      switch value {
      case .text(let text):
        return Self.filled(text) { name in
          switch name {
          case "item": item.map { .text($0) } ?? known(name)
          case "item:lower": item.map { .text($0.lowercased()) } ?? known(name)
          case "items" where !items.isEmpty: .list(items.map { .text($0) })
          default: known(name)
          }
        }
      case .list(let elements):
        return .list(
          elements.flatMap { element in
            item == nil && !items.isEmpty && element.mentionsItem
              ? items.map { fill(element, item: $0) } : [fill(element, item: item)]
          })
      case .map(let members):
        return .map(members.mapValues { member in fill(member, item: item ?? member.singleItem(items)) })
      default: return value
      }
    }
    return fill(self, item: singleItem(items))
  }

  /// The first item, for a text that holds `{item}` outside of any list.
  private func singleItem(_ items: [String]) -> String? {
    guard case .text = self, mentionsItem else { return nil }
    return items.first
  }

  private static let itemPlaceholders = ["{item}", "{item:lower}"]

  /// Whether an item goes into the value.
  var mentionsItem: Bool { Self.itemPlaceholders.contains(where: mentions) }

  /// Whether the value has room for one item alone.
  var needsSingleItem: Bool { Self.itemPlaceholders.contains(where: mentionsOutsideOfLists) }

  /// Whether a text stands anywhere in the value's texts.
  func mentions(_ part: String) -> Bool {
    switch self {
    case .text(let text): text.firstRange(of: part) != nil
    case .list(let elements): elements.contains { $0.mentions(part) }
    case .map(let members): members.values.contains { $0.mentions(part) }
    default: false
    }
  }

  /// Whether a text stands in one of the value's texts that is not within a list.
  private func mentionsOutsideOfLists(_ part: String) -> Bool {
    switch self {
    case .text(let text): text.firstRange(of: part) != nil
    case .map(let members): members.values.contains { $0.mentionsOutsideOfLists(part) }
    default: false
    }
  }

  private static func filled(_ text: String, _ known: (String) -> Value?) -> Value {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open]
      let after = rest.index(after: close)
      if let value = known(name) {
        if open == text.startIndex, after == text.endIndex { return value }
        result += value.inText
        rest = rest[after...]
      } else {
        // A brace of the text's own; what follows may still be a placeholder.
        result += "{"
        rest = rest[rest.index(after: open)...]
      }
    }
    return .text(result + rest)
  }

  private var inText: String {
    if case .list(let items) = self { return items.map(\.inText).joined(separator: ",") }
    return text ?? json
  }
}
