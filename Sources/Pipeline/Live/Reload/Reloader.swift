import Glibc
import Scripting
import Threads
import WebSocket

/// Reads configuration and scripts again when they change or somebody asks, on a thread of its own, and hands what is
/// good to the host.
actor Reloader {
  private static let nothing = "nothing has changed"
  private static let watchTag = UInt64.max - 1
  /// How long to wait before a folder that went away is looked for again.
  private static let retry: UInt64 = 1_000_000_000

  private let loop: EventLoop
  private let path: String
  private let registry: Registry
  private let log: LogSink
  private let host: LiveHost
  private var running: Configuration
  private var watch: FileWatch?
  private var names: Set<String> = []
  private var coalescing = Coalescing()
  private var retryAt: UInt64?
  private var last: Task<ReloadResult, Never>?
  private var isStopped = false
  /// The failure that was told last, so that a file that is touched again and again is not told of each time.
  private var told: [String] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private init(
    loop: EventLoop, running: Configuration, registry: Registry, host: LiveHost, log: @escaping LogSink
  ) {
    self.loop = loop
    self.running = running
    path = running.file
    self.registry = registry
    self.log = log
    self.host = host
  }

  /// Begins to watch the files of a configuration that runs.
  ///
  /// - Throws: ``FileError`` when there can be no thread for it.
  static func start(
    _ running: Configuration, registry: Registry, host: LiveHost, log: @escaping LogSink
  ) async throws(FileError) -> Reloader {
    let loop = try EventLoop()
    let reloader = Reloader(loop: loop, running: running, registry: registry, host: host, log: log)
    do throws(SystemFailure) {
      // As much stack as scripts may need.
      try DedicatedThread.start(stackBytes: 4 << 20) {
        loop.run(
          wait: { reloader.assumeIsolated { $0.milliseconds() } },
          turn: { turn in reloader.assumeIsolated { $0.turn(turn) } })
      }
    } catch {
      throw FileError("can't start the thread for reloads: \(error.description)")
    }
    await reloader.begin()
    return reloader
  }

  /// Ends the thread; nothing is reloaded any more.
  func stop() {
    isStopped = true
    loop.stop()
  }

  private func begin() {
    do throws(FileError) {
      let watch = try FileWatch()
      guard loop.watch(watch.descriptor, tag: Self.watchTag) else {
        throw FileError(SystemFailure.last.description)
      }
      self.watch = watch
    } catch {
      return log(
        .warn, "reload", "changed files are not noticed (\(error)); SIGHUP or 'pipeline reload' reloads them")
    }
    let folders = watchFiles()
    // What was written between the reading and here, no watch tells.
    if let readAt = running.readAt,
      folders.contains(where: { FileWatch.hasChanges(in: $0, since: readAt, of: counts) })
    {
      coalescing.changed(at: monotonicNanoseconds())
    }
  }

  /// Watches the folders of all files that count, and returns them.
  @discardableResult private func watchFiles() -> Set<String> {
    guard let watch else { return [] }
    retryAt = nil
    names = [Self.split(path).name]
    var folders: Set<String> = [Self.split(path).folder]
    for file in [path] + running.scripts.values.map(\.path) {
      let (folder, name) = Self.split(file)
      folders.insert(folder)
      names.insert(name)
      // Where a link leads, the file itself is written.
      guard let resolved = realpath(file, nil) else { continue }
      let target = Self.split(String(cString: resolved))
      free(resolved)
      folders.insert(target.folder)
      names.insert(target.name)
    }
    for script in running.scripts.values { folders.formUnion(ScriptFile.moduleFolders(of: script.path)) }
    for (folder, failure) in watch.watch(folders) {
      if failure.number == ENOENT {
        retryAt = monotonicNanoseconds() + Self.retry
      } else {
        log(
          .warn, "reload",
          "changes in \"\(folder)\" are not noticed (\(failure.description)); SIGHUP or 'pipeline reload' reloads"
        )
      }
    }
    return folders
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }

  private func milliseconds() -> Int32 {
    guard let due = [coalescing.due, retryAt].compactMap({ $0 }).min() else { return -1 }
    let now = monotonicNanoseconds()
    return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
  }

  private func turn(_ turn: EventLoop.Turn) {
    let now = monotonicNanoseconds()
    if turn.ready.contains(Self.watchTag), let news = watch?.read() {
      if news.isLost { retryAt = now + Self.retry }
      if news.isLost || news.names.contains(where: counts) { coalescing.changed(at: now) }
    }
    if let retryAt, retryAt <= now {
      watchFiles()
      coalescing.changed(at: now)
    }
    if coalescing.isDue(at: now) { Task { _ = await reload(isAsked: false) } }
  }

  /// Whether a changed file may matter; `..data` is the link that a container's mounted configuration changes.
  private func counts(_ name: String) -> Bool {
    names.contains(name) || name == "..data" || (name.hasSuffix(".lua") && !name.hasSuffix("_test.lua"))
  }

  /// Reloads what has changed, behind whatever reload is under way.
  ///
  /// - Parameter isAsked: whether somebody waits for the answer, or asked by a signal.
  func reload(isAsked: Bool) async -> ReloadResult {
    let before = last
    let task = Task {
      _ = await before?.value
      return await perform(isAsked: isAsked)
    }
    last = task
    return await task.value
  }

  private func perform(isAsked: Bool) async -> ReloadResult {
    var result = await attempt()
    if isStopped { return result }
    watchFiles()
    if result.isGood {
      if result.lines.isEmpty {
        result.lines = [Self.nothing]
        if isAsked || !told.isEmpty { log(.info, "reload", Self.nothing) }
      }
      let hasFailed = !told.isEmpty
      told = []
      if !isAsked, !hasFailed, result.scripts.isEmpty, result.lines == [Self.nothing] { return result }
    } else if isAsked || told != result.lines {
      told = result.lines
      for line in result.lines { log(.error, "reload", line) }
      log(.error, "reload", "nothing was reloaded; what ran before runs on")
    }
    await host.note(result)
    return result
  }

  private func attempt() async -> ReloadResult {
    func refused(_ lines: [String]) -> ReloadResult {
      ReloadResult(time: .systemClock(), isGood: false, lines: lines)
    }
    let (assembly, findings) = Assembly.load(path, registry: registry)
    guard let assembly else { return refused(ReloadRefusal(findings).findings) }
    let configuration = assembly.configuration
    let needs = configuration.restartNeeds(from: running)
    guard needs.isEmpty else { return refused(needs.map { "\(path): \($0), which needs a restart" }) }
    switch await host.reload(assembly) {
    case .failure(let refusal): return refused(refusal.findings)
    case .success(let reports):
      var lines = reports.map { "\($0.script): \($0.line)" }
      if reports.isEmpty, configuration.differsInWiring(from: running) {
        lines.append("\(path): reloaded")
        log(.info, "reload", lines[0])
      }
      running = configuration
      return ReloadResult(
        time: .systemClock(), isGood: true, lines: lines, scripts: reports.map(\.script))
    }
  }
}

extension Configuration {
  /// Whether routes, or what feeds scripts, are others.
  fileprivate func differsInWiring(from other: Configuration) -> Bool {
    routes != other.routes || scripts.mapValues(\.inputs) != other.scripts.mapValues(\.inputs)
  }
}
