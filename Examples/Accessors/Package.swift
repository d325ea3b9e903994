// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "accessors",
    dependencies: [.package(name: "tracker-config", path: "../..")],
    targets: [
        .executableTarget(
            name: "accessors",
            dependencies: [.product(name: "TrackerConfig", package: "tracker-config")],
            // The file of the accessors is the default document too.
            resources: [.embedInCode("Settings.features.json")],
            swiftSettings: [
                // The strictest that a target can be; what is generated compiles there, without a warning.
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ],
            plugins: [.plugin(name: "GenerateAccessors", package: "tracker-config")])
    ]
)
