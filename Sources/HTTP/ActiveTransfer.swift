internal import CCurl

/// A transfer under way, and who waits for it.
final class ActiveTransfer {
  let id: UInt64
  let waiter: CheckedContinuation<TransferAnswer, any Error>
  private let transfer: Transfer

  init(
    id: UInt64, _ request: TransferRequest, waiter: CheckedContinuation<TransferAnswer, any Error>
  ) throws(TransferFailure) {
    self.id = id
    self.waiter = waiter
    transfer = try Transfer(request)
  }

  var handle: EasyHandle { transfer.handle }

  /// Gives the waiter what became of it; the last call.
  func finish(_ status: CURLcode) {
    do throws(TransferFailure) {
      waiter.resume(returning: try transfer.answer(status))
    } catch {
      waiter.resume(throwing: error)
    }
  }
}
