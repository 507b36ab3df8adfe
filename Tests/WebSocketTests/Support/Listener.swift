import Glibc

/// A listening socket on the loopback interface that never accepts: the kernel does, and nothing follows.
struct Listener {
  struct Failure: Error {}

  private let socket: Int32
  let port: Int

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && listen(socket, 8) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    guard status else { throw Failure() }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  func close() { Glibc.close(socket) }
}
