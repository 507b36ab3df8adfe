internal import CCurl

/// The thread's side of a ``TransferLoop``: it alone touches libcurl's handles.
struct LoopThread {
  private let core: LoopCore
  private var transfers: [UnsafeMutableRawPointer: ActiveTransfer] = [:]

  init(_ core: LoopCore) { self.core = core }

  /// Works until the loop is closed.
  consuming func run() {
    while true {
      let commands = core.take()
      for start in commands.starts { begin(start) }
      if !commands.cancelled.isEmpty { cancel { commands.cancelled.contains($0.id) } }
      if commands.isClosed { break }
      var running: Int32 = 0
      curl_multi_perform(core.multi, &running)
      finishAll()
      // A minute only bounds how long nothing happens: commands wake the thread, and libcurl knows its own times.
      curl_multi_poll(core.multi, nil, 0, 60_000, nil)
    }
    cancel { _ in true }
    for start in core.end().starts { start.waiter.resume(throwing: CancellationError()) }
  }

  private mutating func begin(_ start: LoopCore.Start) {
    do throws(TransferFailure) {
      let transfer = try ActiveTransfer(id: start.id, start.request, waiter: start.waiter)
      guard curl_multi_add_handle(core.multi, transfer.handle.pointer) == CURLM_OK else { throw .outOfMemory }
      transfers[transfer.handle.pointer] = transfer
    } catch {
      start.waiter.resume(throwing: error)
    }
  }

  /// Ends transfers in the middle; libcurl closes their connections.
  private mutating func cancel(where isMeant: (ActiveTransfer) -> Bool) {
    for transfer in Array(transfers.values) where isMeant(transfer) {
      transfers[transfer.handle.pointer] = nil
      curl_multi_remove_handle(core.multi, transfer.handle.pointer)
      transfer.waiter.resume(throwing: CancellationError())
    }
  }

  private mutating func finishAll() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(core.multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle else { continue }
      let status = message.pointee.data.result
      // Invalid from here on: the message goes with its handle.
      let transfer = transfers.removeValue(forKey: pointer)
      curl_multi_remove_handle(core.multi, pointer)
      transfer?.finish(status)
    }
  }
}
