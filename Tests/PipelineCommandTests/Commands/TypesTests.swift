import Testing

@Suite struct TypesTests {
  @Test func `types writes files for editors, and brings them up to date`() throws {
    let folder = try TemporaryFolder()
    let first = try CommandRun(["types", folder.root], in: folder)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.split(separator: "\n").allSatisfy { $0.hasPrefix("made ") }, "\(first.output)")
    let path = folder.path("types/pipeline.lua")
    let text = folder.read(path)
    #expect(text.contains("function effect.after("))
    let again = try CommandRun(["types", folder.root], in: folder)
    #expect(
      again.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" is up to date") }, "\(again.output)")
    try folder.overwrite("types/pipeline.lua", "---@meta pipeline\n-- of an older program\n")
    let update = try CommandRun(["types", folder.root], in: folder)
    #expect(update.output.contains("updated \(path)"), "\(update.output)")
    #expect(folder.read(path) == text)
  }

  @Test func `types leaves settings of somebody's own alone, unless told otherwise`() throws {
    let folder = try TemporaryFolder()
    try folder.write(".luacheckrc", "std = \"max\"\n")
    let kept = try CommandRun(["types", folder.root], in: folder)
    #expect(kept.status == 0)
    #expect(kept.output.contains("kept \(folder.path(".luacheckrc"))"), "\(kept.output)")
    #expect(folder.read(folder.path(".luacheckrc")) == "std = \"max\"\n")
    let forced = try CommandRun(["types", folder.root, "--force"], in: folder)
    #expect(forced.output.contains("updated \(folder.path(".luacheckrc"))"), "\(forced.output)")
    #expect(folder.read(folder.path(".luacheckrc")).contains("stds.pipeline"))
  }

  @Test func `types needs a folder that exists`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(["types", folder.path("none")], in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains("is no folder; name the one that holds your scripts"), "\(run.errors)")
  }
}
