import Composable

/// Posts alerts to an Alertmanager, again and again while they go on, and tells it when they end.
///
/// Requests go one after the other, so that no reminder overtakes the end of its alert.
actor AlertmanagerChannel: Channel {
  nonisolated let name: String
  nonisolated let followsEpisodes = true
  private let receiver: HTTPReceiver
  private let request: HTTPClient.Request
  private let interval: Milliseconds
  private let context: ChannelContext
  private var board: AlertBoard
  private var lastRequest: Task<DeliveryOutcome, Never>?
  private var reminder: Task<Void, Never>?

  init(
    name: String, receiver: HTTPReceiver, request: HTTPClient.Request, labels: [String: String],
    interval: Milliseconds, context: ChannelContext
  ) {
    self.name = name
    self.receiver = receiver
    self.request = request
    self.interval = interval
    self.context = context
    // As Prometheus does: three reminders may be lost before an alert counts as over.
    board = AlertBoard(labels: labels, hold: Milliseconds(4 * interval.count))
  }

  deinit { reminder?.cancel() }

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    let body = board.take(alert, now: context.now())
    remind()
    return await post { _ in body }
  }

  func resume(_ alerts: [Alert]) {
    board.resume(alerts)
    remind()
  }

  func close() { reminder?.cancel() }

  /// Starts the reminders with the first alert that goes on.
  private func remind() {
    guard reminder == nil, !board.lasting.isEmpty else { return }
    let interval = interval
    reminder = Task { [weak self] in
      var isFailing = false
      while true {
        do { try await Task.sleep(for: .milliseconds(interval.count)) } catch { return }
        guard let channel = self else { return }
        isFailing = await channel.postReminders(wasFailing: isFailing)
      }
    }
  }

  /// Posts all that goes on; says in the log when that begins to fail and when it works again.
  private func postReminders(wasFailing: Bool) async -> Bool {
    var failure: String?
    let count = board.reminders(now: context.now()).count
    for index in 0..<count {
      // The board is asked when the request's turn has come: what ended meanwhile isn't told again.
      let outcome = await post { board in
        let bodies = board.reminders(now: self.context.now())
        return index < bodies.count ? bodies[index] : nil
      }
      switch outcome {
      case .delivered: break
      case .retry(_, let reason), .failed(let reason): failure = reason
      }
    }
    if let failure, !wasFailing {
      context.log(.warn, name, "alerts that go on can't be posted again: \(failure)")
    } else if failure == nil, wasFailing {
      context.log(.info, name, "alerts that go on are posted again")
    }
    return failure != nil
  }

  /// Makes a request behind those before it; without a body it is none.
  private func post(_ body: @escaping (AlertBoard) -> [UInt8]?) async -> DeliveryOutcome {
    let previous = lastRequest
    let task = Task {
      _ = await previous?.value
      guard let body = body(self.board) else { return DeliveryOutcome.delivered }
      var request = self.request
      request.body = body
      return await self.receiver.deliver(request)
    }
    lastRequest = task
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
