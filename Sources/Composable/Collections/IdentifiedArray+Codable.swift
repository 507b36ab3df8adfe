extension IdentifiedArray: Encodable where Element: Encodable & Identifiable, Element.ID == ID {
  /// Writes the elements, in order, as a list.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension IdentifiedArray: Decodable where Element: Decodable & Identifiable, Element.ID == ID {
  /// Reads a list of elements; throws where two have the same id.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let element = try container.decode(Element.self)
      guard append(element) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "expected different ids, found \(element.id) twice")
      }
    }
  }
}
