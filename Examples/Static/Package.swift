// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "static-service",
    dependencies: [.package(name: "tracker-config", path: "../..")],
    targets: [
        .executableTarget(
            name: "static-service",
            dependencies: [
                .product(name: "TrackerConfig", package: "tracker-config"),
                .product(name: "TrackerFeatures", package: "tracker-config"),
            ],
            // The linker keeps one of several equal functions, which saves 200 KB.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--icf=safe"])])
    ]
)
