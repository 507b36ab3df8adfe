import Composable
import HTTP
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "Requests of scripts with a real receiver", .enabled(if: PythonServer.isAvailable, "\(PythonServer.reason)")
)
struct RequestReceiverTests {
  private func request(_ url: String, followsRedirects: Bool = false, pace: Milliseconds = .zero)
    -> WebRequest
  {
    WebRequest(
      id: "1", number: 1, key: "", request: HTTPClient.Request(url, timeout: .seconds(20)), pace: pace,
      followsRedirects: followsRedirects, host: "127.0.0.1")
  }

  @Test("an answer is handed over with its status and body, whatever the status")
  func answers() async throws {
    let receiver = try Receiver("script-answers")
    let requests = WebRequests(TransferLoop())
    let good = try await requests.send(request(receiver.url("/status/200?body=%7B%22a%22%3A1%7D")), of: "a")
    #expect(good.value["ok"] == true)
    #expect(good.value["json"] == ["a": 1])
    let bad = try await requests.send(request(receiver.url("/status/503?body=later")), of: "a")
    #expect(bad.value["ok"] == false)
    #expect(bad.value["status"] == 503)
    #expect(bad.value["text"] == "later")
  }

  @Test("a redirect leads nowhere unless any host is allowed")
  func redirects() async throws {
    let receiver = try Receiver("script-redirects")
    let requests = WebRequests(TransferLoop())
    let target = try receiver.url("/status/204").replacing(":", with: "%3A").replacing("/", with: "%2F")
      .replacing("?", with: "%3F").replacing("=", with: "%3D").replacing(" ", with: "%2520")
    let url = try receiver.url("/status/302?Location=\(target)")
    let refused = try await requests.send(request(url), of: "a")
    #expect(refused.error?.contains("redirects more than 0 times") == true, "\(refused)")
    let followed = try await requests.send(request(url, followsRedirects: true), of: "a")
    #expect(followed.status == 204, "\(followed)")
  }

  @Test("a server that isn't there is an error without the path, which may hold a secret")
  func refused() async throws {
    let reply = try await WebRequests(TransferLoop()).send(request("http://127.0.0.1:1/secret"), of: "a")
    #expect(reply.value["ok"] == false)
    #expect(reply.error?.contains("127.0.0.1:1") == true)
    #expect(reply.error?.contains("secret") == false)
  }
}
