package import HTTP

/// What channels get from the program that makes them.
package struct ChannelContext: Sendable {
  /// How alerts are written on the console, where the command line says so.
  package var format: ConsoleChannel.Format?
  /// Carries out requests over the network, of all channels together.
  package var transfers: TransferLoop
  /// The text of the configuration, for the functions in it.
  package var program: ConfigurationProgram?
  /// Takes what the user has to be told of a channel besides its deliveries.
  package var notice: @Sendable (Alert) -> Void
  /// The time.
  package var now: @Sendable () -> Timestamp
  /// Takes what a channel has to say about work that is no delivery.
  package var log: LogSink

  /// Makes a context with the system's clock.
  package init(
    format: ConsoleChannel.Format? = nil, transfers: TransferLoop = TransferLoop(),
    program: ConfigurationProgram? = nil, notice: @escaping @Sendable (Alert) -> Void = { _ in },
    now: @escaping @Sendable () -> Timestamp = Timestamp.systemClock,
    log: @escaping LogSink = { _, _, _ in }
  ) {
    self.format = format
    self.transfers = transfers
    self.program = program
    self.notice = notice
    self.now = now
    self.log = log
  }
}
