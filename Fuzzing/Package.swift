// swift-tools-version: 6.3

import PackageDescription

let features = Target.Dependency.product(name: "TrackerFeatures", package: "tracker-config")
let config = Target.Dependency.product(name: "TrackerConfig", package: "tracker-config")

let package = Package(
    name: "tracker-fuzzing",
    products: [
        .executable(name: "fuzz-document", targets: ["fuzz-document"]),
        .executable(name: "fuzz-cache", targets: ["fuzz-cache"]),
        .executable(name: "fuzz-condition", targets: ["fuzz-condition"]),
        .executable(name: "fuzz-files", targets: ["fuzz-files"]),
    ],
    dependencies: [.package(name: "tracker-config", path: "..")],
    targets: [
        .target(name: "Harness"),
        .executableTarget(name: "fuzz-document", dependencies: [config, "Harness"]),
        .executableTarget(name: "fuzz-cache", dependencies: [config, features, "Harness"]),
        .executableTarget(name: "fuzz-condition", dependencies: [config, "Harness"]),
        .executableTarget(name: "fuzz-files", dependencies: [config, features, "Harness"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
