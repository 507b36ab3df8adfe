/// What the engine knows beyond what its scripts keep for themselves.
package struct EngineState {
  /// One source as the engine sees it.
  package struct Source {
    package let name: String
    package var machine: SourceMachine
    /// When the machine wants to be asked again.
    package var wakeUp: Timestamp?
    package var status: ConnectionEvent?
    /// Whether it gives data, as its user would see it.
    var watch = FeedWatch()
    /// What scripts changed of its subscriptions.
    package var subscriptions = SubscriptionChanges()
    /// Subscriptions that went wrong and were told of, with their items.
    var faultySubscriptions: Set<String> = []
    /// When the status became what it is.
    var since: Timestamp?
    /// When the last message was read.
    var lastMessage: Timestamp?
    /// Bytes of messages read.
    var byteCount: UInt64 = 0
    /// Connections that opened.
    var connectCount: UInt64 = 0
    /// Why the source is over, nil while it isn't or when it simply ended.
    package var failure: String?
    /// Messages read.
    package var messageCount: UInt64 = 0
    /// How often messages were missing, or their numbers began anew.
    package var gapCount: UInt64 = 0
    /// When all keys were last told of that.
    var lastWideGap: Timestamp?
    /// The connections that were opened.
    package var epoch: UInt32 = 0
    /// Messages that could not be decoded.
    package var faultyCount: UInt64 = 0

    package var isFinished: Bool { machine.phase == .finished }
  }

  package var sources: [Source]
  package var outbox: Outbox
  /// What goes into the next commit besides what the scripts changed.
  var pending = Commit()
  /// When what changed must be written even if no alert asks for it.
  var flushDue: Timestamp?
  /// What handlers of this turn asked for, in order.
  var requests: [(script: String, request: ScriptRequest)] = []
  /// The host's own alerts of this turn.
  var hostAlerts: [Alert] = []
  /// What scripts of this turn published, with the channel.
  var publications: [(alert: Alert, channel: String)] = []
  /// Whether scripts of this turn asked for connections, or for their end, which comes before what they sent.
  var asksForConnections = false
  /// Messages to servers that leave with the commit of a number, nil while it is not begun; where no state is kept they
  /// mostly leave at once.
  var outgoing: [OutgoingMessage] = []
  var storageFailure: StorageError?
  /// When the storage began to fail.
  var storageFailingSince: Timestamp?
  /// When channels that are down began to be, by their names.
  var channelsFailingSince: [String: Timestamp] = [:]
  /// When a commit was last made durable.
  var lastCommit: Timestamp?
  /// Alerts raised since the start.
  package var alertCount: UInt64 = 0
  package var commitsUnderWay = 0
  /// HTTP requests of scripts that have left and got no reply yet.
  package var requestsUnderWay = 0
  package var isStopping = false

  /// Makes the state of an engine that has not started.
  package init(sources: [Source], outbox: Outbox) {
    self.sources = sources
    self.outbox = outbox
  }

  /// Whether no source will give anything any more.
  package var isExhausted: Bool { sources.allSatisfy(\.isFinished) }
}
