// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "tickets",
    dependencies: [.package(name: "tracker-config", path: "../tracker-config")],
    targets: [
        .executableTarget(
            name: "tickets",
            dependencies: [.product(name: "TrackerConfig", package: "tracker-config")])
    ]
)
