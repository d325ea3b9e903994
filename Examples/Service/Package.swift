// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "orders",
    dependencies: [
        .package(name: "tracker-config", path: "../.."),
        .package(name: "tracker-config-integrations", path: "../../Integrations"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "orders",
            dependencies: [
                .product(name: "TrackerConfig", package: "tracker-config"),
                .product(name: "TrackerConsole", package: "tracker-config"),
                .product(name: "TrackerHummingbird", package: "tracker-config-integrations"),
                .product(name: "TrackerHummingbirdConsole", package: "tracker-config-integrations"),
                .product(name: "TrackerLifecycle", package: "tracker-config-integrations"),
                .product(name: "TrackerLogging", package: "tracker-config-integrations"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Resources/default.json")]),
        .testTarget(
            name: "OrdersTests",
            dependencies: [
                "orders",
                .product(name: "TrackerTesting", package: "tracker-config"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
