// swift-tools-version: 6.1

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The targets of an example in examples/swift: its feature, a program where it has a terminal front, and its tests.
func example(
  _ name: String, in folder: String, isProgram: Bool = false, _ dependencies: Target.Dependency...
) -> [Target] {
  let path = "examples/swift/\(folder)"
  let all = ["Composable"] + dependencies
  return [
    isProgram
      ? .executableTarget(name: name, dependencies: all, path: "\(path)/Sources", swiftSettings: settings)
      : .target(name: name, dependencies: all, path: "\(path)/Sources", swiftSettings: settings),
    .testTarget(
      name: "\(name)Tests", dependencies: [.target(name: name), "ComposableTesting"] + all,
      path: "\(path)/Tests", swiftSettings: settings),
  ]
}

/// Programs in the manner of a user of the runtime.
let examples: [Target] = [
  example("SearchExample", in: "Search"),
  example("TodosExample", in: "Todos"),
  [
    .target(
      name: "ExampleTerminal", dependencies: ["Composable"], path: "examples/swift/Terminal",
      swiftSettings: settings)
  ],
  example(
    "BitcoinTrackerExample", in: "BitcoinTracker", isProgram: true, "ComposableNetworking", "ExampleTerminal"),
  example("WorkoutsExample", in: "Workouts", "ComposableDatabase"),
  example("VoiceMemosExample", in: "VoiceMemos"),
  example("SyncUpsExample", in: "SyncUps", "ComposableJSON"),
  example("SpeechRecognitionExample", in: "SpeechRecognition"),
  [
    .target(
      name: "TicTacToeAuthentication", dependencies: ["Composable"],
      path: "examples/swift/TicTacToe/Authentication", swiftSettings: settings)
  ],
  example("TicTacToeLogin", in: "TicTacToe/Login", "TicTacToeAuthentication"),
  example("TicTacToeGame", in: "TicTacToe/Game"),
  example(
    "TicTacToeExample", in: "TicTacToe/App", isProgram: true, "ExampleTerminal", "TicTacToeAuthentication",
    "TicTacToeLogin", "TicTacToeGame"),
  example("CaseStudiesExample", in: "CaseStudies"),
  example(
    "CustomHostExample", in: "CustomHost", isProgram: true, "Pipeline", "PipelineCommand", "Scripting"),
].flatMap { $0 }

let package = Package(
  name: "pipeline",
  products: [
    .executable(name: "pipeline", targets: ["PipelineProgram"]),
    .library(name: "PipelineCommand", targets: ["PipelineCommand"]),
    .library(name: "Composable", targets: ["Composable"]),
    .library(name: "ComposableTesting", targets: ["ComposableTesting"]),
    .library(name: "ComposableJSON", targets: ["ComposableJSON"]),
    .library(name: "ComposableDatabase", targets: ["ComposableDatabase"]),
    .library(name: "ComposableNetworking", targets: ["ComposableNetworking"]),
    .library(name: "Pipeline", targets: ["Pipeline"]),
  ],
  targets: [
    // Debian's C libraries.
    .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CEvents"),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),

    // The one guarded door to Lua.
    .target(name: "LuaShim", dependencies: ["CLua"]),
    .target(name: "Scripting", dependencies: ["LuaShim"], swiftSettings: settings),

    // Time zones, over Debian's libcctz-dev.
    .target(name: "ZoneShim", linkerSettings: [.linkedLibrary("cctz")]),

    // The runtime.
    .target(name: "Composable", dependencies: ["Threads"], swiftSettings: settings),
    .target(name: "ComposableTesting", dependencies: ["Composable"], swiftSettings: settings),
    .target(name: "ComposableJSON", dependencies: ["Composable"], swiftSettings: settings),
    .target(name: "ComposableDatabase", dependencies: ["Composable", "CSQLite"], swiftSettings: settings),

    // Threads of their own for what waits in the kernel.
    .target(name: "Threads", swiftSettings: settings),

    // The network.
    .target(name: "HTTP", dependencies: ["CCurl", "Composable", "Threads"], swiftSettings: settings),
    .target(
      name: "MQTT", dependencies: ["CEvents", "CMosquitto", "HTTP", "Threads"], swiftSettings: settings),
    .target(name: "Mail", dependencies: ["CCurl", "HTTP"], swiftSettings: settings),
    .target(
      name: "WebSocket", dependencies: ["CCurl", "CCrypto", "CWslay", "CZlib", "HTTP"],
      swiftSettings: settings),

    // Live clients for the runtime's dependencies.
    .target(
      name: "ComposableNetworking", dependencies: ["Composable", "HTTP", "Threads", "WebSocket"],
      swiftSettings: settings),

    // The host.
    .target(
      name: "Pipeline",
      dependencies: [
        "Composable", "HTTP", "MQTT", "Mail", "Scripting", "Threads", "WebSocket", "CSQLite", "CCrypto",
        "CEvents", "CZlib", "ZoneShim",
      ],
      swiftSettings: settings),
    .target(
      name: "ScriptTesting", dependencies: ["Pipeline", "Composable", "Scripting"], swiftSettings: settings),
    .target(
      name: "PipelineCommand", dependencies: ["Pipeline", "ScriptTesting", "Scripting", "WebSocket"],
      swiftSettings: settings),
    .executableTarget(
      name: "PipelineProgram", dependencies: ["PipelineCommand"], swiftSettings: settings),

    // Real servers, and what tests of several targets share.
    .target(
      name: "TestPeers", path: "Tests/TestPeers", exclude: ["Programs", "Servers"], swiftSettings: settings),

    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .executableTarget(
      name: "AllocationProbe", dependencies: ["AllocationCounter", "Composable"],
      path: "Tests/AllocationProbe",
      swiftSettings: settings),
    .testTarget(
      name: "ComposableTests",
      dependencies: ["AllocationProbe", "Composable", "ComposableTesting", "ComposableJSON", "TestPeers"],
      exclude: ["CompilerErrors/WrongRoutes.swift"],
      swiftSettings: settings),
    .testTarget(
      name: "ComposableDocumentationTests",
      dependencies: ["Composable", "ComposableTesting", "ComposableJSON", "ComposableDatabase"],
      swiftSettings: settings),
    .testTarget(
      name: "ComposableDatabaseTests",
      dependencies: ["ComposableDatabase", "Composable", "ComposableTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "ComposableNetworkingTests",
      dependencies: ["ComposableNetworking", "Composable", "ComposableTesting", "CCrypto"],
      swiftSettings: settings),
    .target(name: "LuaReference", dependencies: ["CLua"], path: "Tests/LuaReference"),
    .testTarget(
      name: "ScriptingTests", dependencies: ["Scripting", "LuaReference", "TestPeers"], exclude: ["Inputs"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTests", dependencies: ["HTTP", "Composable", "TestPeers"], swiftSettings: settings),
    .testTarget(
      name: "MailTests", dependencies: ["Mail", "HTTP", "TestPeers"], swiftSettings: settings),
    .testTarget(
      name: "WebSocketTests", dependencies: ["WebSocket", "CZlib", "HTTP", "TestPeers"], exclude: ["Servers"],
      swiftSettings: settings),
    // An echo client for `scripts/test-autobahn`.
    .executableTarget(
      name: "AutobahnClient", dependencies: ["WebSocket"], path: "Tests/AutobahnClient",
      swiftSettings: settings),
    .testTarget(
      name: "PipelineTests",
      dependencies: ["Pipeline", "CZlib", "Composable", "HTTP", "MQTT", "Scripting", "TestPeers", "Threads"],
      exclude: ["Sources/Presets/Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "ScriptTestingTests", dependencies: ["ScriptTesting", "Pipeline", "Scripting", "TestPeers"],
      swiftSettings: settings),
    .testTarget(
      name: "PipelineCommandTests", dependencies: ["Pipeline", "Scripting", "ScriptTesting", "TestPeers"],
      exclude: ["Servers"],
      swiftSettings: settings),
  ] + examples,
  cxxLanguageStandard: .cxx17
)
