/// The report as build servers read it: JUnit's XML, as the common readers agree on it.
extension TestReport {
  /// One `testsuite` a file; a file that failed as a whole is one failed case.
  package var junit: String {
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    xml += "<testsuites tests=\"\(passedCount + failedCount)\" failures=\"\(failedCount)\">\n"
    for file in files {
      let failed = file.tests.count { $0.failure != nil } + (file.failure == nil ? 0 : 1)
      let count = file.tests.count + (file.failure == nil ? 0 : 1)
      xml += "  <testsuite name=\"\(Self.escaped(file.path))\" tests=\"\(count)\" failures=\"\(failed)\">\n"
      if let failure = file.failure {
        xml += Self.testCase("the file itself", file, failure, .zero)
      }
      for test in file.tests { xml += Self.testCase(test.name, file, test.failure, test.duration) }
      xml += "  </testsuite>\n"
    }
    return xml + "</testsuites>\n"
  }

  private static func testCase(
    _ name: String, _ file: TestFileResult, _ failure: TestFailure?, _ duration: Duration
  ) -> String {
    let milliseconds =
      duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    let fraction = String(milliseconds % 1_000)
    let time = "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    let head =
      "    <testcase classname=\"\(escaped(file.path))\" name=\"\(escaped(name))\" time=\"\(time)\""
    guard let failure else { return head + "/>\n" }
    let message = failure.message.split(separator: "\n").first.map(String.init) ?? ""
    return head
      + ">\n      <failure message=\"\(escaped(message))\">\(escaped(failure.text(in: file)))</failure>\n"
      + "    </testcase>\n"
  }

  /// Text for XML 1.0: markup escaped, characters that it can't hold replaced.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
