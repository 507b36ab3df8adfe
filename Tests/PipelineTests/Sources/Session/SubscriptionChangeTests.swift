import Scripting
import Testing

@testable import Pipeline

@Suite("Wishes of scripts about subscriptions")
struct SubscriptionChangeTests {
  @Test func `changes are folded, and read back as they were written`() throws {
    var changes = SubscriptionChanges()
    let isNew4 = changes.note(SubscriptionChange(subscription: "a", items: ["X", "Y"], isWanted: true))
    #expect(isNew4)
    let isNew5 = changes.note(SubscriptionChange(subscription: "a", items: ["X"], isWanted: true))
    #expect(!isNew5)
    let isNew6 = changes.note(SubscriptionChange(subscription: "a", items: ["Y"], isWanted: false))
    #expect(isNew6)
    let isNew7 = changes.note(SubscriptionChange(subscription: "b", items: [], isWanted: false))
    #expect(isNew7)
    #expect(
      changes.all == [
        SubscriptionChange(subscription: "a", items: [], isWanted: true),
        SubscriptionChange(subscription: "a", items: ["Y"], isWanted: false),
        SubscriptionChange(subscription: "a", items: ["X"], isWanted: true),
        SubscriptionChange(subscription: "b", items: [], isWanted: false),
      ])
    #expect(SubscriptionChanges(encoded: changes.encoded) == changes)
    #expect(SubscriptionChanges(encoded: "[]") == nil && SubscriptionChanges(encoded: "{") == nil)
  }
}
