package import HTTP

/// What channels get from the program that makes them.
package struct ChannelContext: Sendable {
  /// How alerts are written on the console, where the command line says so.
  package var format: ConsoleChannel.Format?
  /// Carries out requests over the network, of all channels together.
  package var transfers: TransferLoop
  /// The time.
  package var now: @Sendable () -> Timestamp
  /// Takes what a channel has to say about work that is no delivery.
  package var log: LogSink

  /// Makes a context with the system's clock.
  package init(
    format: ConsoleChannel.Format? = nil, transfers: TransferLoop = TransferLoop(),
    now: @escaping @Sendable () -> Timestamp = Timestamp.systemClock,
    log: @escaping LogSink = { _, _, _ in }
  ) {
    self.format = format
    self.transfers = transfers
    self.now = now
    self.log = log
  }
}
