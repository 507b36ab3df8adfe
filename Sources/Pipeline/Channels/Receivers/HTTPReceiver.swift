import Composable
import HTTP
import Scripting

/// Hands requests to a receiver over HTTP and says what its answer means for the delivery.
struct HTTPReceiver: Sendable {
  let client: HTTPClient
  let timeout: Duration
  let now: @Sendable () -> Timestamp
  /// What no reason may show, although the receiver may repeat it.
  var secrets: [String] = []
  /// Finds the seconds to wait in the JSON of an answer, for receivers that say it there.
  var waitInBody: @Sendable (Value) -> Double? = { _ in nil }

  /// Makes a request and judges the answer: 2xx is delivered; 408, 425, 429 and 5xx are worth another attempt,
  /// not earlier than asked for; everything else is not.
  func deliver(_ request: HTTPClient.Request) async -> DeliveryOutcome {
    var request = request
    request.timeout = timeout
    let response: HTTPClient.Response
    do {
      response = try await client.send(request)
    } catch let failure as TransferFailure {
      if failure.kind == .invalid || failure.kind == .redirect { return .failed(reason: failure.description) }
      return .retry(after: nil, reason: failure.description)
    } catch is CancellationError {
      return .retry(after: nil, reason: "the attempt was cancelled")
    } catch {
      return .retry(after: nil, reason: "\(error)")
    }
    if (200...299).contains(response.status) { return .delivered }
    let reason = reason(response, from: request.url)
    switch response.status {
    case 408, 425, 429, 500...599: return .retry(after: askedWait(response), reason: reason)
    default: return .failed(reason: reason)
    }
  }

  /// The wait that the answer asks for in its head or its body, whichever is longer.
  private func askedWait(_ response: HTTPClient.Response) -> Milliseconds? {
    let here = now().milliseconds / 1_000
    // A date is meant by the receiver's clock, which it tells along.
    let there = response.header("Date").flatMap { RetryAfter($0) }
    var clock = here
    if case .time(let time) = there { clock = time }
    let head = response.header("Retry-After").flatMap { RetryAfter($0) }?.seconds(from: clock)
    var waits: [Milliseconds] = []
    if let head { waits.append(Milliseconds(head.multipliedReportingOverflow(by: 1_000).partialValue)) }
    // A body that is no JSON asks for nothing.
    if let body = try? Value(json: String(decoding: response.body, as: UTF8.self)),
      let seconds = waitInBody(body), seconds >= 0, seconds < 1e9
    {
      waits.append(Milliseconds(Int64((seconds * 1_000).rounded(.up))))
    }
    return waits.max()
  }

  private func reason(_ response: HTTPClient.Response, from url: String) -> String {
    // The request went to this URL, so it can be read; the words without it still say what happened.
    let place = (try? Origin(url))?.description ?? "the receiver"
    var reason = "\(place) answered \(response.status)"
    if (300...399).contains(response.status) {
      reason += ", a redirect that would change the request; write the URL it leads to"
    }
    let excerpt = excerpt(response.body)
    return excerpt.isEmpty ? reason : "\(reason): \(excerpt)"
  }

  /// The beginning of a body, on one line and without secrets.
  private func excerpt(_ body: [UInt8]) -> String {
    var text = String(decoding: body, as: UTF8.self)
    for secret in secrets where secret.utf8.count >= 4 { text = text.replacing(secret, with: "…") }
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return (text.count > 200 ? "\(text.prefix(200))…" : text).printable
  }
}
