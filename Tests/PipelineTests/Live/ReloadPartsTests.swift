import Glibc
import Scripting
import Testing
import Threads

@testable import Pipeline

@Suite("Noticing what changed")
struct ReloadPartsTests {
  private let folder: StorageFolder

  init() { folder = StorageFolder() }

  @Test("several writes are one look, a moment after the last, and in any case after a while")
  func coalescing() {
    var coalescing = Coalescing()
    func isDue(at now: UInt64) -> Bool { coalescing.isDue(at: now) }
    #expect(coalescing.due == nil)
    #expect(!isDue(at: .max))
    coalescing.changed(at: 1_000_000_000)
    #expect(!isDue(at: 1_099_999_999))
    coalescing.changed(at: 1_050_000_000)
    #expect(coalescing.due == 1_150_000_000)
    #expect(isDue(at: 1_150_000_000))
    #expect(!isDue(at: .max), "it begins anew")
    for step in 0..<30 as Range<UInt64> { coalescing.changed(at: 2_000_000_000 + step * 50_000_000) }
    #expect(coalescing.due == 3_000_000_000)
  }

  @Test(
    "a file that is written, renamed into place or deleted is told by its name, and a folder that goes as lost"
  )
  func fileWatch() throws {
    let path = "\(folder.path)/watched"
    try #require(mkdir(path, 0o700) == 0)
    defer {
      for name in TextFile.names(in: path) { unlink("\(path)/\(name)") }
      rmdir(path)
    }
    let watch = try FileWatch()
    #expect(watch.watch([path, "\(path)/none"]).map(\.failure.number) == [ENOENT])
    try TextFile.create("\(path)/a.lua", "one")
    try TextFile.replace("\(path)/b.lua", "two")
    #expect(watch.read().names.isSuperset(of: ["a.lua", "b.lua"]))
    unlink("\(path)/a.lua")
    let news = watch.read()
    #expect(news.names == ["a.lua"] && !news.isLost)
    unlink("\(path)/b.lua")
    rmdir(path)
    #expect(watch.read().isLost)
    mkdir(path, 0o700)
    #expect(watch.watch([path]).isEmpty)
    try TextFile.create("\(path)/c.lua", "three")
    #expect(watch.read().names == ["c.lua"])
    #expect(watch.watch([]).isEmpty)
    try TextFile.create("\(path)/d.lua", "four")
    #expect(watch.read().names == [])
  }

  @Test("what was written while the host began is found by its time")
  func changesBefore() throws {
    let before = Timestamp.systemClock()
    try TextFile.create(folder.file("a.lua"), "one")
    #expect(FileWatch.hasChanges(in: folder.path, since: before) { $0 == "a.lua" })
    #expect(!FileWatch.hasChanges(in: folder.path, since: before) { $0 == "b.lua" })
    #expect(!FileWatch.hasChanges(in: folder.path, since: before + .minutes(60)) { _ in true })
  }

  @Test("modules of folders are read where a text names them, and their folders are known")
  func modules() throws {
    let lib = "\(folder.path)/lib"
    for path in [lib, "\(lib)/deep"] { try #require(mkdir(path, 0o700) == 0) }
    defer {
      for path in ["\(lib)/deep", lib] {
        for name in TextFile.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
      }
    }
    try TextFile.create("\(lib)/prices.lua", "return require 'lib.deep.number' * 2")
    try TextFile.create("\(lib)/deep/number.lua", "return 21")
    try TextFile.create("\(lib)/unnamed.lua", "return 0")
    try TextFile.create(folder.file("other.lua"), "return 1")
    let path = folder.file("watch.lua")
    try TextFile.create(
      path,
      """
      local M = { on = {}, state = { n = 0 } }
      local prices = require("lib.prices") -- and "..etc.passwd" or "../outside" are no names
      function M.on.feed(state) state.n = prices + require("other") error(require("lib.fails")) end
      return M
      """)
    try TextFile.create("\(lib)/fails.lua", "\nlocal x = nil\nreturn x.y")
    let file = try ScriptFile(path: path, name: "watch.lua")
    #expect(file.modules.keys.sorted() == ["lib.deep.number", "lib.fails", "lib.prices", "other"])
    #expect(ScriptFile.moduleFolders(of: path) == [lib, "\(lib)/deep"])
    let runner = try ScriptRunner(name: "watch", file: file)
    let batch = MessageBatch()
    batch.append("1", time: 1)
    _ = batch.decode()
    runner.handle(batch, in: 0..<1, input: "feed", source: "feed", number: 0)
    #expect(runner.takeFailures().map(\.place) == ["lib/fails.lua:3"])
  }

  private func configuration(_ sources: String, _ rest: String = "") throws -> Configuration {
    let text = """
      return {
        sources = { \(sources) },
        scripts = { watch = { file = "watch.lua", from = { "btc" } } },
        \(rest)
      }
      """
    let value = try ConfigurationFile.evaluate(
      ScriptFile(name: "config.lua", source: text), registry: .builtIn)
    let (configuration, findings) = Configuration.read(
      value, file: "config.lua", registry: .builtIn, fileExists: { _ in true })
    return try #require(configuration, "\(findings)")
  }

  @Test("a configuration says by path what needs a restart, and never a value")
  func restartNeeds() throws {
    let plain = "btc = source.websocket { url = \"wss://example.org/\" }"
    let running = try configuration(plain)
    #expect(try configuration("\n\n\(plain)").restartNeeds(from: running) == [], "lines don't count")
    #expect(
      try configuration(plain, "routes = {}").restartNeeds(from: running) == [], "routes are reloaded")
    let secret = "btc = source.websocket { url = \"wss://example.org/?token=hunter2\" }"
    #expect(try configuration(secret).restartNeeds(from: running) == ["sources.btc.url changed"])
    #expect(
      try configuration("\(plain), eth = source.stdin {}").restartNeeds(from: running) == [
        "sources.eth is new"
      ])
    #expect(
      try configuration("btc = source.stdin {}").restartNeeds(from: running)
        == ["sources.btc became another component"])
    func preset(_ name: String, _ symbol: String) throws -> Configuration {
      try configuration("btc = source.preset \"\(name)\" { symbols = { \"\(symbol)\" } }")
    }
    let trades = try preset("okx.trades", "BTC-USDT")
    #expect(try preset("okx.trades", "BTC-USDT").restartNeeds(from: trades) == [])
    #expect(try preset("okx.books", "BTC-USDT").restartNeeds(from: trades) == ["sources.btc.preset changed"])
    #expect(
      try preset("okx.trades", "ETH-USDT").restartNeeds(from: trades) == ["sources.btc.symbols changed"])
    let more = try configuration(
      plain, "channels = { a = channel.console {} }, storage = storage.sqlite { file = \"a.db\" }")
    #expect(more.restartNeeds(from: running) == ["channels is new", "storage is new"])
    #expect(running.restartNeeds(from: more) == ["channels is gone", "storage is gone"])
  }
}
