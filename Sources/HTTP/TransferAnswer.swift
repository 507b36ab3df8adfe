package import Composable

/// A complete answer, whatever it says.
package struct TransferAnswer: Sendable, Hashable {
  /// The status of HTTP, the last code of other protocols.
  package var status: Int
  /// Header fields in their order.
  package var headers: [HTTPClient.Field]
  package var body: [UInt8]
  /// Where a redirect leads, as an absolute URL.
  package var redirect: String?
}
