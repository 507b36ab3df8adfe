internal import CCrypto

/// What makes an alert the same as one sent before.
package struct AlertIdentity: Sendable, Hashable {
  /// What tells storages apart, whose numbers of episodes begin anew; empty where that can't happen.
  package var origin: String
  /// The name of the script, or `host`.
  package var script: String
  /// The name of the rule, or the name given to `alert.send`.
  package var rule: String
  package var key: String
  /// The stored number of the episode.
  package var episode: UInt64
  package var kind: Alert.Kind
  /// Which of an episode's reminders it is, 0 for every other kind.
  package var reminder: UInt64

  /// Makes an identity from its parts.
  package init(
    origin: String = "", script: String, rule: String, key: String, episode: UInt64, kind: Alert.Kind,
    reminder: UInt64 = 0
  ) {
    self.origin = origin
    self.script = script
    self.rule = rule
    self.key = key
    self.episode = episode
    self.kind = kind
    self.reminder = reminder
  }

  /// The alert's id: the first 32 hexadecimal digits, in lower case, of a SHA-256 hash.
  ///
  /// What is hashed is unambiguous: each text goes in as the number of its UTF-8 bytes and the bytes, each
  /// number as eight bytes, the lowest first.
  package var id: String {
    var bytes: [UInt8] = []
    func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
    func add(_ text: String) {
      add(UInt64(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    }
    add(script)
    add(rule)
    add(key)
    add(episode)
    add(kind.rawValue)
    add(reminder)
    if !origin.isEmpty { add(origin) }
    let hash = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: hash.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
