/// What a component is for: the word before the dot in `source.websocket`.
public enum ComponentKind: String, Sendable, Hashable, CaseIterable {
  case source
  case channel
  case storage
  case decoder
  case reducer

  /// The section of a configuration, and the topic of `pipeline help`, that holds components of this kind.
  public var section: String {
    switch self {
    case .source: "sources"
    case .channel: "channels"
    case .storage: "storage"
    case .decoder: "decoders"
    case .reducer: "reducers"
    }
  }

  /// The noun with its article, as error texts use it.
  var noun: String { "a \(rawValue)" }
}
