import Testing
@testable import WebSocket

@Suite struct CloseCodeTests {
  @Test("lets exactly the assigned and the private codes travel")
  func table() {
    let allowed = Array(UInt16(1000)...1003) + Array(1007...1014) + Array(3000...4999)
    #expect((UInt16.min...UInt16.max).filter(CloseCode.mayTravel) == allowed)
  }
}
