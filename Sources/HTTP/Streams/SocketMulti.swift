internal import CCurl
internal import Glibc

/// libcurl's multi interface with its sockets in an epoll set of their own, driven by whoever owns it.
final class SocketMulti {
  /// Readable when a socket is ready; to be watched level-triggered.
  let descriptor: Int32
  let pointer: UnsafeMutableRawPointer
  /// When libcurl wants to be called without an event, in monotonic nanoseconds.
  private(set) var deadline: UInt64?

  private static let globalStatus = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  init() throws(TransferFailure) {
    guard Self.globalStatus == CURLE_OK, let pointer = curl_multi_init() else { throw .outOfMemory }
    self.pointer = pointer
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      curl_multi_cleanup(pointer)
      throw TransferFailure(.resources, "no descriptor for a connection: \(reason)")
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_setopt_socket_function(pointer, watchSocket)
    curl_multi_setopt_pointer(pointer, CURLMOPT_SOCKETDATA, me)
    curl_multi_setopt_timer_function(pointer, setTimer)
    curl_multi_setopt_pointer(pointer, CURLMOPT_TIMERDATA, me)
  }

  deinit {
    curl_multi_cleanup(pointer)
    close(descriptor)
  }

  /// Does what can be done without waiting.
  func perform(now: UInt64) {
    var running: Int32 = 0
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 16) { events in
      let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0)
      for event in events.prefix(Int(max(count, 0))) {
        var what: Int32 = 0
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { what |= CURL_CSELECT_IN }
        if event.events & EPOLLOUT.rawValue != 0 { what |= CURL_CSELECT_OUT }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { what |= CURL_CSELECT_ERR }
        curl_multi_socket_action(pointer, event.data.fd, what, &running)
      }
    }
    guard let due = deadline, now >= due else { return }
    deadline = nil
    curl_multi_socket_action(pointer, CURL_SOCKET_TIMEOUT, 0, &running)
  }

  /// The result of the next transfer that has ended, nil if there is none.
  func nextResult() -> CURLcode? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
    }
    return nil
  }

  fileprivate func watch(_ socket: Int32, _ what: Int32) {
    if what == CURL_POLL_REMOVE {
      // Fails when libcurl has closed the socket already: then the kernel has forgotten it too.
      _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
      return
    }
    var events: UInt32 = 0
    if what & CURL_POLL_IN != 0 { events |= EPOLLIN.rawValue }
    if what & CURL_POLL_OUT != 0 { events |= EPOLLOUT.rawValue }
    var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
      // A socket that can't be watched makes the request run into its time-out.
      _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    }
  }

  fileprivate func setDeadline(milliseconds: Int) {
    guard milliseconds >= 0 else {
      deadline = nil
      return
    }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    deadline =
      UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec) + UInt64(milliseconds) * 1_000_000
  }
}

private let watchSocket: curl_socket_callback = { _, socket, what, multi, _ in
  guard let multi else { return -1 }
  Unmanaged<SocketMulti>.fromOpaque(multi).takeUnretainedValue().watch(socket, what)
  return 0
}

private let setTimer: curl_multi_timer_callback = { _, milliseconds, multi in
  guard let multi else { return -1 }
  Unmanaged<SocketMulti>.fromOpaque(multi).takeUnretainedValue().setDeadline(milliseconds: milliseconds)
  return 0
}
