/// How an alert's labels are stored: names and values in turn as netstrings (`5:hello,`), which hold any text.
enum LabelEncoding {
  static func encode(_ labels: [String: String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in labels.sorted(by: { $0.key < $1.key }) {
      for text in [name, value] {
        bytes.append(contentsOf: "\(text.utf8.count):".utf8)
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: ","))
      }
    }
    return bytes
  }

  /// Reads labels back; nil if the bytes are no such list.
  static func decode(_ bytes: [UInt8]) -> [String: String]? {
    var texts: [String] = []
    var place = 0
    while place < bytes.count {
      guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
        let count = Int(String(decoding: bytes[place..<colon], as: UTF8.self)), count >= 0,
        count < bytes.count - colon - 1, bytes[colon + 1 + count] == UInt8(ascii: ",")
      else { return nil }
      texts.append(String(decoding: bytes[(colon + 1)..<(colon + 1 + count)], as: UTF8.self))
      place = colon + 2 + count
    }
    guard texts.count.isMultiple(of: 2) else { return nil }
    var labels: [String: String] = [:]
    for index in stride(from: 0, to: texts.count, by: 2) { labels[texts[index]] = texts[index + 1] }
    return labels
  }
}
