// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "orders",
    dependencies: [
        .package(name: "tracker-config", path: "../.."),
        .package(name: "tracker-config-integrations", path: "../../Integrations"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "orders",
            dependencies: [
                .product(name: "TrackerConfig", package: "tracker-config"),
                .product(name: "TrackerConsole", package: "tracker-config"),
                .product(name: "TrackerLogging", package: "tracker-config-integrations"),
                .product(name: "TrackerLifecycle", package: "tracker-config-integrations"),
                .product(name: "TrackerHummingbird", package: "tracker-config-integrations"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Resources/default.json")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ]
)
