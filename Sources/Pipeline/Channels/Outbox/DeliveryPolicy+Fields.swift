package import Scripting

/// The options about delivery that every channel over the network has.
extension DeliveryPolicy {
  private static let spans = Milliseconds(1)...Milliseconds.minutes(31 * 24 * 60)

  /// The option that names a channel's substitute.
  package static let fallbackField = FieldSpec(
    "fallback", .reference(to: .channel), help: "The channel that takes over what this one can't deliver")

  /// The options, with the pace that the receiver is known to bear.
  package static func fields(pace: Value? = nil) -> [FieldSpec] {
    [
      FieldSpec(
        "pace",
        .group([
          FieldSpec("count", .integer(1...10_000), required: true, help: "The number of alerts"),
          FieldSpec("per", .duration(spans), required: true, help: "Within each span of this length"),
        ]), default: pace, help: "At most so many alerts within a span of time; more of them wait",
        example: ["count": 30, "per": "1m"]),
      FieldSpec(
        "retry",
        .group([
          FieldSpec(
            "first", .duration(spans), default: "1s",
            help: "The longest wait before the second attempt; it doubles with each further one"),
          FieldSpec("cap", .duration(spans), default: "5m", help: "The bound of the doubling"),
          FieldSpec(
            "attempts", .integer(1...1_000),
            help: "The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not "
              + "given, 5 with a fallback"),
        ]), default: [:],
        help: "How attempts that fail for now are repeated: after a random wait, and never earlier than the "
          + "receiver asks for"),
      FieldSpec(
        "max_age", .duration(spans), default: "1h",
        help:
          "The age at which an alert is not worth sending any more; such ones are summed up in one message"
      ),
      fallbackField,
    ]
  }

  /// Takes the policy from checked options.
  ///
  /// - Parameter timeout: how long the channel itself takes for an attempt at most.
  package init(fields: FieldReader, timeout: Milliseconds) {
    self.init(fallback: fields.optionalText("fallback"))
    if let pace = fields.optionalGroup("pace") {
      self.pace = DeliveryPace(Int(pace.integer("count")), per: pace.duration("per"))
    }
    let retry = fields.group("retry")
    firstRetry = retry.duration("first")
    longestRetry = retry.duration("cap")
    if let attempts = retry.optionalInteger("attempts") { maximumAttempts = Int(attempts) }
    maximumAge = fields.duration("max_age")
    // The channel's own bound comes first and says more.
    self.timeout = Milliseconds(timeout.count + 10_000)
  }

  /// The faults between these options.
  package static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    let retry = fields.group("retry")
    let (first, cap) = (retry.duration("first"), retry.duration("cap"))
    guard first > cap else { return [] }
    return [ComponentSpec.Fault("retry.first", "expected at most the cap of \(cap), got \"\(first)\"")]
  }
}
