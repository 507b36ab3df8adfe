@testable import Pipeline

extension Commit {
  /// A commit of some states of a script called `tracker`.
  static func states(_ states: [(String, String?)], position: String? = nil) -> Commit {
    var commit = Commit()
    for (key, data) in states {
      commit.putState(script: "tracker", key: key, data: data.map { Array($0.utf8) })
    }
    if let position { commit.positions["btc"] = position }
    return commit
  }
}

extension Snapshot {
  /// The states by script and key.
  var stateTexts: [String: String] {
    var texts: [String: String] = [:]
    for row in 0..<states.count {
      texts["\(states.text(row, 0) ?? "")/\(states.text(row, 1) ?? "")"] = states.text(row, 2)
    }
    return texts
  }
}

extension Alert {
  static func sample(_ id: String, key: String = "", name: String = "over level") -> Alert {
    Alert(
      id: id, name: name, script: "btc", key: key, kind: .firing, severity: .warning,
      text: "bitcoin at 70010.00", time: Timestamp(milliseconds: 1_000), value: 70_010,
      labels: ["desk": "crypto", "a:b,": "line\nand \0 nul"])
  }
}

extension QuarantineRow {
  static func sample(_ number: Int, message: [UInt8] = Array("{}".utf8)) -> QuarantineRow {
    QuarantineRow(
      time: Timestamp(milliseconds: Int64(number)), script: "btc", source: "feed", input: "price",
      reason: "reason \(number)", place: "alert.lua:12", traceback: "stack traceback:\n  alert.lua:12",
      message: message)
  }
}
