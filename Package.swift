// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "tracker-config",
    products: [
        .library(name: "TrackerCore", targets: ["TrackerCore"]),
        .library(name: "TrackerFeatures", targets: ["TrackerFeatures"]),
        .library(name: "TrackerConfig", targets: ["TrackerConfig"]),
        .library(name: "TrackerClientEvents", targets: ["TrackerClientEvents"]),
        .library(name: "TrackerEcommerce", targets: ["TrackerEcommerce"]),
        .library(name: "TrackerGrowthBook", targets: ["TrackerGrowthBook"]),
        .library(name: "TrackerConsole", targets: ["TrackerConsole"]),
        .library(name: "TrackerTesting", targets: ["TrackerTesting"]),
        .executable(name: "demo-tracker", targets: ["demo-tracker"]),
        .executable(name: "tracker-config", targets: ["tracker-config"]),
        .plugin(name: "GenerateAccessors", targets: ["GenerateAccessors"]),
    ],
    targets: [
        .systemLibrary(name: "TrackerSQLite", path: "Sources/System/TrackerSQLite"),
        .systemLibrary(name: "TrackerCurl", path: "Sources/System/TrackerCurl"),
        .systemLibrary(name: "TrackerZlib", path: "Sources/System/TrackerZlib"),
        .systemLibrary(name: "TrackerThreads", path: "Sources/System/TrackerThreads"),
        .target(name: "TrackerPlatform", path: "Sources/System/TrackerPlatform"),
        .target(name: "TrackerJSON", dependencies: ["TrackerPlatform"]),
        .target(
            name: "TrackerCore",
            dependencies: [
                "TrackerPlatform", "TrackerJSON", "TrackerSQLite", "TrackerCurl", "TrackerZlib", "TrackerThreads",
            ]),
        .target(name: "TrackerFeatureModel", dependencies: ["TrackerPlatform", "TrackerJSON"]),
        .target(
            name: "TrackerFeatures",
            dependencies: ["TrackerPlatform", "TrackerJSON", "TrackerCore", "TrackerFeatureModel"]),
        .target(name: "TrackerConfig", dependencies: ["TrackerPlatform", "TrackerCore", "TrackerFeatures"]),
        .target(name: "TrackerClientEvents", dependencies: ["TrackerCore"]),
        .target(name: "TrackerEcommerce", dependencies: ["TrackerCore"]),
        .target(name: "TrackerGrowthBook", dependencies: ["TrackerFeatures"]),
        .target(
            name: "DocumentTools",
            dependencies: ["TrackerCore", "TrackerFeatures", "TrackerConfig", "TrackerAccessors"],
            path: "Sources/Tools/DocumentTools"),
        .target(
            name: "TrackerConsole",
            dependencies: ["TrackerPlatform", "TrackerCore", "TrackerFeatures", "TrackerConfig", "DocumentTools"],
            exclude: ["Page/README.md", "Page/browser.d.ts", "Page/jsconfig.json"],
            resources: [
                "page.html", "style.css", "base.js", "views.js", "header.js", "overview.js", "trackers.js", "live.js",
                "features.js", "overrides.js", "editor.js", "experiments.js", "users.js", "changes.js", "start.js",
            ].map { .embedInCode("Page/\($0)") }),
        .target(
            name: "DocumentImport", dependencies: ["TrackerConfig", "TrackerGrowthBook", "DocumentTools"],
            path: "Sources/Tools/DocumentImport"),
        .target(
            name: "TrackerLoopbackServer", dependencies: ["TrackerPlatform"],
            path: "Sources/Tools/TrackerLoopbackServer"),
        .target(
            name: "TrackerTesting",
            dependencies: ["TrackerCore", "TrackerFeatures", "TrackerConfig", "TrackerLoopbackServer"]),
        .target(
            name: "TrackerCommandLine",
            dependencies: [
                "TrackerPlatform", "TrackerCore", "TrackerConfig", "TrackerConsole", "TrackerLoopbackServer",
            ],
            path: "Sources/Tools/TrackerCommandLine"),
        .target(
            name: "TrackerAccessors", dependencies: ["TrackerJSON", "TrackerFeatureModel"],
            path: "Sources/Tools/TrackerAccessors"),
        .executableTarget(
            name: "tracker-accessors", dependencies: ["TrackerJSON", "TrackerFeatureModel", "TrackerAccessors"],
            path: "Sources/Tools/tracker-accessors"),
        .executableTarget(
            name: "tracker-config",
            dependencies: [
                "TrackerPlatform", "TrackerCore", "TrackerFeatures", "TrackerConfig", "TrackerConsole", "DocumentTools",
                "DocumentImport", "TrackerAccessors", "TrackerCommandLine", "TrackerLoopbackServer",
            ]),
        .executableTarget(
            name: "demo-tracker",
            dependencies: [
                "TrackerCore", "TrackerClientEvents", "TrackerFeatures", "TrackerConfig", "DocumentTools",
                "TrackerCommandLine", "TrackerLoopbackServer", "TrackerTesting",
            ]),
        .plugin(name: "GenerateAccessors", capability: .buildTool(), dependencies: ["tracker-accessors"]),
        .target(
            name: "TestSupport",
            dependencies: ["TrackerPlatform", "TrackerCore", "TrackerLoopbackServer", "TrackerTesting"],
            path: "Tests/TestSupport"),
        .target(
            name: "TrackerSimulation", dependencies: ["TrackerPlatform", "TrackerCore", "TrackerConfig"],
            path: "Tests/TrackerSimulation"),
        .executableTarget(
            name: "simulate", dependencies: ["TrackerPlatform", "TrackerSimulation"], path: "Tests/simulate"),
        .executableTarget(
            name: "evaluate", dependencies: ["TrackerCore", "TrackerFeatures", "TrackerConfig", "TrackerGrowthBook"],
            path: "Tests/evaluate"),
        .testTarget(name: "TrackerSimulationTests", dependencies: ["TrackerSimulation", "TestSupport"]),
        .testTarget(
            name: "TrackerTestingTests",
            dependencies: [
                "TrackerPlatform", "TrackerTesting", "TrackerConfig", "TrackerGrowthBook", "TrackerFeatures",
                "TrackerCore", "TrackerClientEvents", "TrackerLoopbackServer", "TestSupport",
            ]),
        .testTarget(
            name: "TrackerCoreTests",
            dependencies: [
                "TrackerPlatform", "TrackerCore", "TrackerClientEvents", "TrackerEcommerce", "TrackerLoopbackServer",
                "TrackerTesting", "TestSupport",
            ]),
        .testTarget(
            name: "TrackerConfigTests",
            dependencies: [
                "TrackerConfig", "TrackerClientEvents", "TrackerFeatures", "TrackerGrowthBook", "TrackerConsole",
                "DocumentTools",
                "DocumentImport", "TrackerLoopbackServer", "TrackerTesting", "TestSupport",
            ],
            exclude: ["Features/Generated/shop.json"]),
        .testTarget(
            name: "TrackerLoopbackServerTests", dependencies: ["TrackerCore", "TrackerLoopbackServer", "TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "demo-tracker", "tracker-config", "TrackerAccessors", "DocumentTools", "DocumentImport",
                "TrackerCommandLine", "TrackerLoopbackServer", "TrackerTesting", "TestSupport",
            ]),
    ]
)

// A sanitizer's build takes minutes for each target of tests, and `.ci/run` names the only one that it wants of them.
if let wanted = Context.environment["TRACKER_CONFIG_TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != wanted }
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
