// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "static-service",
    dependencies: [.package(name: "tracker-config", path: "../..")],
    targets: [
        .executableTarget(
            name: "static-service",
            dependencies: [.product(name: "TrackerConfig", package: "tracker-config")])
    ]
)
