// swift-tools-version: 6.3

import PackageDescription

/// The suites of others, read through the SDK as services read it: public products only.
let package = Package(
    name: "tracker-config-suites",
    dependencies: [
        .package(name: "tracker-config", path: "../.."),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .testTarget(
            name: "SuiteTests",
            dependencies: [
                .product(name: "TrackerFeatures", package: "tracker-config"),
                .product(name: "TrackerConfig", package: "tracker-config"),
                .product(name: "TrackerGrowthBook", package: "tracker-config"),
                .product(name: "TrackerTesting", package: "tracker-config"),
                .product(name: "Yams", package: "Yams"),
            ],
            path: "SuiteTests")
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
