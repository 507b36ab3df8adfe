import Composable
import FoundationEssentials

/// Shows the price of a bitcoin while it is connected to a feed.
struct BitcoinTracker: Reducer {
  enum Connectivity: String, Sendable, Equatable { case disconnected, connecting, connected }

  struct State: Equatable {
    var connectivity = Connectivity.disconnected
    var price: Double?
    /// Why there is no connection, or no price.
    var problem: String?
  }

  enum Action: Sendable, Equatable {
    case buttonTapped
    case connection(WebSocketClient.Event)
    case received(WebSocketClient.Message)
    case failed(String)
  }

  static let connection = WebSocketClient.ID("prices")
  private enum EffectName { case connection }

  let url: String
  @Dependency(\.socket) var socket

  init(url: String) { self.url = url }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buttonTapped:
      guard state.connectivity == .disconnected else {
        state = State()
        return .cancel(id: EffectName.connection)
      }
      state = State(connectivity: .connecting)
      return .run { send in
        for await event in try await socket.open(Self.connection, url, []) {
          await send(.connection(event))
        }
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: EffectName.connection)

    case .connection(.opened):
      state.connectivity = .connected
      return .run { send in
        for await message in try await socket.receive(Self.connection) {
          await send(.received(try message.get()))
        }
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: EffectName.connection)

    case .connection(.closed(let code, let reason)):
      state = State(problem: "The connection ended (\(code)): \(reason.isEmpty ? "no reason given" : reason)")
      return .cancel(id: EffectName.connection)

    case .received(let message):
      if let price = price(in: message) {
        state.price = price
        state.problem = nil
      } else {
        state.problem = "Expected a price, got \(message)."
      }
      return .none

    case .failed(let text):
      state = State(problem: text)
      return .cancel(id: EffectName.connection)
    }
  }

  /// The number in a message such as `{"bitcoin":"67123.45"}`.
  private func price(in message: WebSocketClient.Message) -> Double? {
    guard case .text(let text) = message,
      let fields = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    else { return nil }
    return fields["bitcoin"].flatMap { Double($0) }
  }
}
