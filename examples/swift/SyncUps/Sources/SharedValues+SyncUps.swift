import Composable
import ComposableJSON

extension SharedValues {
  /// The sync-ups of this machine, whichever feature asks for them.
  func syncUps() async -> Shared<IdentifiedArrayOf<SyncUp>> {
    await file("sync-ups.json", as: .json, default: [])
  }
}
