package import Scripting

/// What was found about one source, step by step on the way to its first message.
package struct Examination: Sendable {
  /// One step on the way.
  package struct Step: Sendable, Hashable {
    /// How it went.
    package enum Outcome: String, Sendable, Hashable {
      case ok
      /// It works, and somebody should look at it.
      case warning
      case failed
      /// Nothing to look at.
      case skipped
    }

    package var name: String
    package var outcome: Outcome
    /// How long it took, nil where that says nothing.
    package var time: Milliseconds?
    /// What was found, in a few words or one sentence.
    package var finding: String
    /// What to do about it, nil for nothing.
    package var advice: String?

    /// Makes a step.
    package init(
      _ name: String, _ outcome: Outcome, _ finding: String, time: Milliseconds? = nil, advice: String? = nil
    ) {
      self.name = name
      self.outcome = outcome
      self.finding = finding
      self.time = time
      self.advice = advice
    }
  }

  /// The name of the source.
  package var source: String
  /// Its kind, such as `source.websocket`.
  package var kind: String
  package var steps: [Step]

  /// Makes an examination.
  package init(source: String, kind: String, steps: [Step] = []) {
    self.source = source
    self.kind = kind
    self.steps = steps
  }

  /// Whether any step failed.
  package var isFailure: Bool { steps.contains { $0.outcome == .failed } }
}

extension Examination {
  /// One JSON object a step.
  package var lines: [Value] {
    steps.map { step in
      var object: [String: Value] = [
        "source": .text(source), "kind": .text(kind), "step": .text(step.name),
        "outcome": .text(step.outcome.rawValue), "finding": .text(step.finding),
      ]
      if let time = step.time { object["milliseconds"] = .integer(time.count) }
      if let advice = step.advice { object["advice"] = .text(advice) }
      return .map(object)
    }
  }

  /// Some examinations as one table, a row a step, with what to do below it.
  package static func table(_ examinations: [Examination]) -> String {
    var rows = [["source", "step", "result", "time", "finding"]]
    var advice: [Int: String] = [:]
    for examination in examinations {
      for (index, step) in examination.steps.enumerated() {
        let source = index == 0 ? examination.source : ""
        let result = step.outcome == .failed ? "FAILED" : step.outcome.rawValue
        let time = step.time.map { $0.count < 1 ? "<1ms" : "\($0.count)ms" } ?? ""
        rows.append([source.printable, step.name, result, time, step.finding.printable])
        if let text = step.advice { advice[rows.count - 1] = text.printable }
      }
    }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for (index, row) in rows.enumerated() {
      for (column, width) in widths.enumerated() {
        let padding = String(repeating: " ", count: width - row[column].count + 2)
        // Numbers stand to the right.
        text += column == 3 ? padding.dropLast(2) + row[column] + "  " : row[column] + padding
      }
      let margin = widths.reduce(0) { $0 + $1 + 2 }
      text += wrapped(row[4], margin: margin, "")
      if let advice = advice[index] {
        text += String(repeating: " ", count: margin) + wrapped(advice, margin: margin, "→ ")
      }
    }
    return text
  }

  /// The words of a cell in lines that leave a margin, each with its end; the first begins where the cursor is.
  private static func wrapped(_ words: String, margin: Int, _ mark: String) -> String {
    let room = max(tableWidth - margin, 40)
    var text = mark
    var column = mark.count
    for word in words.split(separator: " ") {
      if column > mark.count, column + word.count + 1 > room {
        text += "\n" + String(repeating: " ", count: margin + mark.count)
        column = mark.count
      } else if column > mark.count {
        text += " "
        column += 1
      }
      text += word
      column += word.count
    }
    return text + "\n"
  }

  /// The columns that a table fills at most, but for long words.
  private static let tableWidth = 110
}
