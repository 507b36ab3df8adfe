internal import CCrypto
import Scripting

extension ScriptRunner {
  /// 16 hexadecimal digits that are the same for the same text, modules, parameters and limits; the first of a
  /// SHA-256 hash.
  package var version: String {
    var parts = [source.file.source]
    for module in machine.requiredModules.sorted() { parts += [module, source.file.modules[module] ?? ""] }
    let limits = source.limits
    parts.append(Value.map(source.parameters).json)
    parts.append(
      "\(limits.steps) \(limits.memoryBytes) \(limits.stateBytes) \(limits.totalStateBytes) \(limits.effects) "
        + "\(limits.nesting) \(source.logByteLimit) \(source.effectByteLimit)")
    var bytes: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes += part.utf8
    }
    let hash = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
    return HexadecimalText.write(hash.prefix(8))
  }
}
