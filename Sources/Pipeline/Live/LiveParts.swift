import HTTP

/// What a live host needs besides its scripts: storage, channels and the drivers of its sources.
struct LiveParts: Sendable {
  let storage: any Storage
  let channels: [String: any Channel]
  let policies: [String: DeliveryPolicy]
  let channelNames: [String]
  let requests: WebRequests
  /// Carries out all that is asked over the network, but by sources.
  let transfers: TransferLoop
  /// Whether nothing may leave the program.
  let isDryRun: Bool
  /// What channels have to tell the user besides their deliveries.
  let notices: AsyncStream<Alert>
  /// The file of the storage, nil where nothing is kept.
  let storageFile: String?

  init(
    _ configuration: Configuration, options: LiveOptions, registry: Registry, log: @escaping LogSink
  ) throws(StartError) {
    channelNames = configuration.alertChannels
    isDryRun = options.isDryRun
    let (notices, notice) = AsyncStream.makeStream(of: Alert.self, bufferingPolicy: .bufferingNewest(100))
    self.notices = notices
    let context = ChannelContext(
      format: options.format, program: configuration.program, notice: { notice.yield($0) }, log: log)
    transfers = context.transfers
    requests = WebRequests(transfers)
    do {
      var channels: [String: any Channel] = [:]
      var policies: [String: DeliveryPolicy] = [:]
      for (name, component) in configuration.channels {
        let settings: any ChannelFactory = try registry.make(component)
        channels[name] =
          options.isDryRun && !(settings is ConsoleChannelSettings)
          ? DryRunChannel(name: name, log: log) : try settings.makeChannel(name: name, context: context)
        policies[name] = settings.policy
      }
      self.channels = channels
      self.policies = policies
      if let component = configuration.storage, options.keepsState, !options.isDryRun {
        let settings: SQLiteSettings = try registry.make(component)
        storage = try SQLiteStorage(file: settings.file)
        storageFile = settings.file
      } else {
        storageFile = nil
        storage = MemoryStorage(origin: String(UInt64.random(in: 0 ... .max), radix: 16))
      }
    } catch {
      throw StartError("\(error)")
    }
  }

  /// The sources with the settings of their machines, and whether each goes on where it was.
  ///
  /// - Parameter keys: where the keys of their messages stand.
  static func sources(
    _ configuration: Configuration, names: [String], keys: [MessageKeys?], registry: Registry
  ) throws(StartError) -> (items: [DeskContents.Source], machines: [SourceMachine.Settings], resumes: [Bool])
  {
    var items: [DeskContents.Source] = []
    var machines: [SourceMachine.Settings] = []
    var resumes: [Bool] = []
    for (name, keys) in zip(names, keys) {
      guard let component = configuration.sources[name] else { continue }
      let settings: any SourceSettings
      do { settings = try registry.make(component) } catch { throw StartError("\(error)") }
      items.append(
        DeskContents.Source(
          name: name, driver: settings.makeDriver(of: name, in: configuration.program),
          queue: component.queue.map { WaitingQueue($0, keys: keys) }))
      machines.append(settings.machine)
      resumes.append(settings.resumes)
    }
    return (items, machines, resumes)
  }
}

/// What a configured source is driven by.
package protocol SourceSettings: Sendable {
  /// What the machine of the source needs to know.
  var machine: SourceMachine.Settings { get }
  /// Whether a new connection goes on behind the stored position.
  var resumes: Bool { get }

  /// Whether trying the source takes nothing from anybody.
  var isExaminable: Bool { get }

  /// Makes the driver.
  func makeDriver() -> any SourceDriver

  /// Where the source connects to, nil for one without a network.
  ///
  /// - Throws: `SecretError` for a variable that isn't set, and what an address gives that can't be used.
  func target() throws -> NetworkTarget?

  /// Makes the driver of a source that may have functions, which the text of its configuration holds.
  func makeDriver(of name: String, in program: ConfigurationProgram?) -> any SourceDriver
}

extension SourceSettings {
  package var isExaminable: Bool { true }
  package func target() throws -> NetworkTarget? { nil }
  package func makeDriver(of name: String, in program: ConfigurationProgram?) -> any SourceDriver {
    makeDriver()
  }
}

extension WebSocketSettings: SourceSettings {
  package var resumes: Bool { position != nil }
  package func makeDriver() -> any SourceDriver { WebSocketDriver(self) }

  package func makeDriver(of name: String, in program: ConfigurationProgram?) -> any SourceDriver {
    guard let function = headersFunction, let program else { return makeDriver() }
    return WebSocketDriver(self, makingHeaders: HeaderFunction(function, of: program, source: name))
  }
}

extension SimulatedSettings: SourceSettings {
  package var machine: SourceMachine.Settings { .untilEnd }
  package var resumes: Bool { false }
  package func makeDriver() -> any SourceDriver { SimulatedDriver(self) }
}

extension FileSettings: SourceSettings {
  package var resumes: Bool { true }
  package func makeDriver() -> any SourceDriver {
    if follows { return FollowDriver(self) }
    return LineDriver(.file(path: path), maximumBytes: maximumMessageBytes)
  }
}

extension StdinSettings: SourceSettings {
  /// What is read from the standard input is gone.
  package var isExaminable: Bool { false }
  package var machine: SourceMachine.Settings { .untilEnd }
  package var resumes: Bool { false }
  package func makeDriver() -> any SourceDriver {
    LineDriver(.standardInput, maximumBytes: maximumMessageBytes)
  }
}
