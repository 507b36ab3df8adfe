import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "Chat services with a real receiver",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct ChatReceiverTests {
  @Test("Slack and Discord are posted to their webhook's address")
  func webhooks() async throws {
    let receiver = try Receiver("chat-webhooks")
    let url: Value = .text(try receiver.url("/status/200"))
    for channel in [
      try ConfiguredChannel.make(SlackSettings.self, ["url": url]),
      try ConfiguredChannel.make(DiscordSettings.self, ["url": url]),
    ] {
      #expect(await channel.deliver(.sample(), id: "1-phone") == .delivered)
    }
    let requests = try await receiver.requests()
    #expect(requests.count == 2)
    for request in requests {
      #expect(request["method"] == "POST" && request["headers"]?["content-type"] == "application/json")
      #expect(request["body"]?.text?.contains("bitcoin at 70010.00") == true)
    }
  }

  @Test("Telegram's address holds the token, which no reason shows")
  func telegram() async throws {
    let receiver = try Receiver("chat-telegram")
    let options: [String: Value] = [
      "token": "123:s3cr3t", "chat": "42", "url": .text(try receiver.origin() + "/"),
    ]
    let channel = try ConfiguredChannel.make(TelegramSettings.self, options)
    #expect(
      await channel.deliver(.sample(), id: "1-phone")
        == .failed(reason: "\(try receiver.origin()) answered 404: no method /bot…/sendMessage"))
  }

  @Test("ntfy gets the token as a header")
  func ntfy() async throws {
    let receiver = try Receiver("chat-ntfy")
    let channel = try ConfiguredChannel.make(
      NtfySettings.self,
      ["topic": "t0pic", "token": "tk_x", "url": .text(try receiver.url("/status/200"))])
    #expect(await channel.deliver(.sample(), id: "1-phone") == .delivered)
    let request = try #require(try await receiver.requests().first)
    #expect(request["headers"]?["authorization"] == "Bearer tk_x")
    #expect(try Value(json: request["body"]?.text ?? "")["topic"] == "t0pic")
  }

  @Test("Discord and Telegram say in the body how long to wait")
  func waits() async throws {
    let receiver = try Receiver("chat-waits")
    let busy = "/status/429?Retry-After=1&body="
    let discord = try ConfiguredChannel.make(
      DiscordSettings.self, ["url": .text(try receiver.url(busy + "%7B%22retry_after%22:64.57%7D"))])
    guard case .retry(let wait, _) = await discord.deliver(.sample(), id: "1-phone") else {
      Issue.record("429 is not tried again")
      return
    }
    #expect(wait == Milliseconds(64_570))
    let telegram = try ConfiguredChannel.make(
      TelegramSettings.self, ["token": "123:busy", "chat": "42", "url": .text(try receiver.origin())])
    guard case .retry(let asked, _) = await telegram.deliver(.sample(), id: "1-phone") else {
      Issue.record("429 is not tried again")
      return
    }
    #expect(asked == .seconds(35))
  }
}
