// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "shop",
    dependencies: [.package(name: "tracker-config", path: "../tracker-config")],
    targets: [
        .executableTarget(
            name: "shop",
            dependencies: [.product(name: "TrackerConfig", package: "tracker-config")])
    ]
)
