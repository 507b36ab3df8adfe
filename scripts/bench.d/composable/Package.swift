// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that the store is measured as a user's package gets it.
let package = Package(
  name: "composable-bench",
  dependencies: [.package(name: "pipeline", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ComposableBench", dependencies: [.product(name: "Composable", package: "pipeline")]),
    .executableTarget(
      name: "TestStoreBench",
      dependencies: [
        .product(name: "Composable", package: "pipeline"),
        .product(name: "ComposableTesting", package: "pipeline"),
      ]),
  ]
)
