// swift-tools-version: 6.1

import PackageDescription

let tracker = Target.Dependency.product(name: "TrackerCore", package: "tracker-config")
let features = Target.Dependency.product(name: "TrackerFeatures", package: "tracker-config")
let configuration = Target.Dependency.product(name: "TrackerConfig", package: "tracker-config")

let package = Package(
    name: "tracker-benchmarks",
    dependencies: [
        .package(name: "tracker-config", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "HTTPSink"),
        .target(name: "Workload", dependencies: [tracker, "HTTPSink", "CMemory"]),
        .target(name: "CMemory"),
        .target(name: "CAllocations"),
        .executableTarget(name: "sink", dependencies: ["HTTPSink"]),
        .executableTarget(name: "delivery", dependencies: [tracker, "HTTPSink", "Workload"]),
        .executableTarget(name: "killed", dependencies: [tracker, "HTTPSink", "Workload"]),
        .executableTarget(name: "allocations", dependencies: [tracker, "HTTPSink", "Workload", "CAllocations"]),
        .executableTarget(name: "subjects", dependencies: [tracker, "HTTPSink", "Workload"]),
        .target(name: "ConfigurationWorkload", dependencies: [configuration, features, "Workload"]),
        .executableTarget(
            name: "configuration", dependencies: [configuration, features, "Workload", "ConfigurationWorkload"]),
        .executableTarget(
            name: "notmodified",
            dependencies: [configuration, "HTTPSink", "Workload", "ConfigurationWorkload", "CAllocations"]),
        .executableTarget(
            name: "features",
            dependencies: [configuration, features, "Workload", "ConfigurationWorkload", "CAllocations"]),
        .executableTarget(name: "conditions", dependencies: [configuration, "Workload", "CAllocations"]),
        .executableTarget(
            name: "console",
            dependencies: [
                configuration, .product(name: "TrackerConsole", package: "tracker-config"), "Workload",
                "ConfigurationWorkload",
            ]),
        .executableTarget(name: "fleet", dependencies: [configuration, features, "Workload"]),
        .executableTarget(
            name: "push", dependencies: [tracker, configuration, "Workload", "ConfigurationWorkload"]),
        // The benchmark plugin takes the targets that lie directly in a directory of the name "Benchmarks".
        .executableTarget(
            name: "TrackerBenchmarks",
            dependencies: [tracker, "HTTPSink", "Workload", .product(name: "Benchmark", package: "benchmark")],
            path: "TrackerBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)

let cTargets = ["CMemory", "CAllocations"]
for target in package.targets where !cTargets.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
