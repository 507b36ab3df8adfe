import Testing

@Suite struct CompletionsTests {
  /// What bash offers for the last of some words.
  private static func offered(_ words: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let script = try CommandRun(["completions", "bash"], in: folder)
    #expect(script.status == 0, "\(script.errors)")
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    try folder.write("prices.ndjson", "")
    let path = try folder.write(
      "complete.sh",
      script.output + """
        cd '\(folder.root)'
        COMP_WORDS=(pipeline \(quoted))
        COMP_CWORD=\(words.count)
        _pipeline
        printf '%s\\n' "${COMPREPLY[@]}"
        """)
    let run = try CommandRun(program: "/bin/bash", [path], in: folder)
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["repl"], ["replay"]), (["check", "--s"], ["--strict"]),
    (["completions", ""], ["bash", "zsh", "fish"]),
    (["run", "--format", "j"], ["json"]), (["run", "--for", ""], []),
    (["help", "effect.af"], ["effect.after"]),
    (["replay", "pri"], ["prices.ndjson"]), (["test", "--output", "pri"], ["prices.ndjson"]),
    (["nothing", "pri"], ["prices.ndjson"]), (["alerts", "ret"], ["retry"]),
    (["alerts", "pri"], ["prices.ndjson"]), (["alerts", "silence", "--k"], ["--key"]),
    (["alerts", "prices.ndjson", "--k"], ["--key"]), (["alerts", "retry", "--ch"], ["--channel"]),
  ])
  func `bash completes commands, options, their values, topics and files`(words: [String], offers: [String])
    throws
  {
    #expect(try Self.offered(words) == offers)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `each shell gets every command with its options`(shell: String) throws {
    let folder = try TemporaryFolder()
    let script = try CommandRun(["completions", shell], in: folder).output
    for word in [
      "check", "strict", "quarantine", "as-test", "completions", "effect.after", "log-level", "silence",
    ] {
      #expect(script.contains(word), "\(word)")
    }
  }

  @Test func `another shell is refused with the known ones`() throws {
    let run = try CommandRun(["completions", "tcsh"], in: TemporaryFolder())
    #expect(run.status == 2)
    #expect(run.errors == "pipeline: unknown shell 'tcsh'; known: bash, fish, zsh\n")
  }
}
