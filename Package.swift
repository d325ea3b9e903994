// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "tracker-config",
    products: [
        .library(name: "TrackerCore", targets: ["TrackerCore"]),
        .library(name: "TrackerConfig", targets: ["TrackerConfig"]),
        .executable(name: "demo-tracker", targets: ["demo-tracker"]),
        .plugin(name: "GenerateAccessors", targets: ["GenerateAccessors"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "TrackerThreads"),
        .target(name: "TrackerCore", dependencies: ["CSQLite", "CCurl", "CZlib", "TrackerThreads"]),
        .target(name: "ConsolePage", resources: [.embedInCode("console.html")]),
        .target(name: "TrackerConfig", dependencies: ["TrackerCore", "ConsolePage"]),
        .target(name: "LoopbackServer"),
        .executableTarget(
            name: "demo-tracker", dependencies: ["TrackerCore", "TrackerConfig", "LoopbackServer"],
            resources: [.embedInCode("Resources/document.json")]),
        .plugin(name: "GenerateAccessors", capability: .buildTool(), dependencies: ["demo-tracker"]),
        .target(name: "TestSupport", dependencies: ["TrackerCore", "LoopbackServer"], path: "Tests/TestSupport"),
        .testTarget(name: "TrackerCoreTests", dependencies: ["TrackerCore", "LoopbackServer", "TestSupport"]),
        .testTarget(
            name: "TrackerConfigTests", dependencies: ["TrackerConfig", "LoopbackServer", "TestSupport"],
            exclude: ["Features/Generated/shop.json"]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer", "TestSupport"]),
        .testTarget(name: "DemoTrackerTests", dependencies: ["demo-tracker", "LoopbackServer", "TestSupport"]),
    ]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
