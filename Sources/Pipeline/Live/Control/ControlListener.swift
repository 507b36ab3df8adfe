import Glibc
import Threads

/// A socket that takes connections of the same user, at a path that goes with it.
final class ControlListener {
  let descriptor: Int32
  private let path: String
  private let identity: (device: dev_t, number: ino_t)

  /// Begins to listen; a socket that a killed process left behind is replaced.
  ///
  /// - Throws: ``FileError`` if another process listens there, or nobody can.
  init(path: String) throws(FileError) {
    self.path = path
    try Self.clear(path)
    let address = try UnixAddress(path: path)
    let made = UnixAddress.makeSocket(waits: false)
    guard made >= 0 else { throw FileError("can't make a socket: \(SystemFailure.last.description)") }
    // Before it has a name: nobody else may connect at any moment.
    fchmod(made, 0o600)
    guard address.with({ bind(made, $0, $1) }) == 0, listen(made, 16) == 0 else {
      let failure = SystemFailure.last
      close(made)
      throw FileError("can't listen at \"\(path)\": \(failure.description)")
    }
    chmod(path, 0o600)
    var status = stat()
    lstat(path, &status)
    descriptor = made
    identity = (status.st_dev, status.st_ino)
  }

  deinit {
    var status = stat()
    // Whoever has replaced it keeps its own.
    if lstat(path, &status) == 0, status.st_dev == identity.device, status.st_ino == identity.number {
      unlink(path)
    }
    close(descriptor)
  }

  /// Removes a socket that nobody listens at.
  private static func clear(_ path: String) throws(FileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw FileError("\"\(path)\" is in the way of the socket for commands; move it away")
    }
    let probe = UnixAddress.makeSocket(waits: false)
    guard probe >= 0 else { throw FileError("can't make a socket: \(SystemFailure.last.description)") }
    defer { close(probe) }
    let address = try UnixAddress(path: path)
    if address.with({ connect(probe, $0, $1) }) == 0 || errno == EAGAIN {
      throw FileError(
        "another pipeline listens at \"\(path)\", and answers the commands about this configuration")
    }
    guard errno == ECONNREFUSED else {
      throw FileError("can't replace the socket \"\(path)\": \(SystemFailure.last.description)")
    }
    unlink(path)
  }

  /// What the kernel knows of the other end: struct ucred of unix(7).
  private struct Peer {
    var process: pid_t = 0
    var user = uid_t.max
    var group = gid_t.max
  }

  /// Takes the next connection, of the same user or root; nil when there is none.
  func accept() -> Int32? {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      if connection < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return nil
      }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      var peer = Peer()
      var length = socklen_t(MemoryLayout<Peer>.size)
      let isKnown = getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0
      if isKnown, peer.user == geteuid() || peer.user == 0 { return connection }
      close(connection)
    }
  }
}
