// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "verification",
    dependencies: [
        .package(name: "tracker-config", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "verification",
            dependencies: [
                .product(name: "TrackerConfig", package: "tracker-config"),
                .product(name: "TrackerFeatures", package: "tracker-config"),
                .product(name: "Crypto", package: "swift-crypto"),
            ])
    ]
)
