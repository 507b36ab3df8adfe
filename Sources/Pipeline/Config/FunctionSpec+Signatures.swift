import CCrypto
import Scripting

extension FunctionSpec {
  /// A function of configurations that signs a text, with its declaration.
  struct Signature: Sendable {
    let spec: FunctionSpec
    let make: @Sendable () -> HostFunction
  }

  /// `hmac.sha256` and `hmac.sha512`, which servers that want a signed time ask for.
  static let signatures = [
    signature("sha256", { EVP_sha256() }), signature("sha512", { EVP_sha512() }),
  ]

  private static func signature(
    _ name: String, _ digest: @escaping @Sendable () -> OpaquePointer?
  ) -> Signature {
    let spec = FunctionSpec(
      "hmac.\(name)",
      parameters: [
        ParameterSpec("key", .text, help: "The secret"),
        ParameterSpec("text", .text, help: "What is signed"),
        ParameterSpec(
          "encoding", .choice(["hex", "base64"]), optional: true, default: "\"hex\"",
          help: "How the signature is written"),
      ],
      returns: Result(.text, "the signature"),
      summary: "Signs a text with a secret (RFC 2104), in a function for headers",
      example: "hmac.\(name)(env \"API_SECRET\", tostring(ctx.time))", files: [.configuration])
    return Signature(spec: spec) {
      HostFunction(spec) { arguments, _ throws(HostFunctionError) in
        try signed(arguments, digest())
      }
    }
  }

  private static func signed(
    _ arguments: [Value], _ digest: OpaquePointer?
  ) throws(HostFunctionError) -> Value {
    guard arguments.count >= 2, let key = arguments[0].text, let text = arguments[1].text else {
      throw HostFunctionError(
        "expected a key and a text; env \"NAME\" is a text in a function for headers only")
    }
    let encoding = arguments.count > 2 ? arguments[2] : "hex"
    guard encoding == "hex" || encoding == "base64" else {
      throw HostFunctionError("expected the encoding \"hex\" or \"base64\"")
    }
    let signature = sign(Array(text.utf8), key: Array(key.utf8), digest)
    return .text(encoding == "hex" ? hex(signature) : base64(signature))
  }

  private static func sign(_ text: [UInt8], key: [UInt8], _ digest: OpaquePointer?) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    HMAC(digest, key, Int32(key.count), text, text.count, &signature, &count)
    return Array(signature.prefix(Int(count)))
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    // Four characters for three bytes, and a terminating zero.
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
