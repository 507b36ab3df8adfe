package import Composable

/// What a ``HTTPStream`` reports to.
package protocol HTTPStreamSink {
  /// The head of the answer has come.
  mutating func answered(status: Int, headers: [HTTPClient.Field])

  /// A piece of the body; valid during the call only.
  mutating func received(_ piece: UnsafeRawBufferPointer)

  /// The answer is complete.
  mutating func finished()

  /// There is no answer, or no more of it.
  mutating func failed(_ failure: TransferFailure)
}
