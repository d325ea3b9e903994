// swift-tools-version: 6.3

import PackageDescription

/// The SDK. A repository of its own names its URL and a version here.
let sdk = Package.Dependency.package(name: "tracker-config", path: "..")

let trackerCore = Target.Dependency.product(name: "TrackerCore", package: "tracker-config")
let trackerFeatures = Target.Dependency.product(name: "TrackerFeatures", package: "tracker-config")
let trackerConfig = Target.Dependency.product(name: "TrackerConfig", package: "tracker-config")
let trackerGrowthBook = Target.Dependency.product(name: "TrackerGrowthBook", package: "tracker-config")
let trackerConsole = Target.Dependency.product(name: "TrackerConsole", package: "tracker-config")
let trackerTesting = Target.Dependency.product(name: "TrackerTesting", package: "tracker-config")

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTPCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "tracker-config-integrations",
    products: [
        .library(name: "TrackerLogging", targets: ["TrackerLogging"]),
        .library(name: "TrackerMetrics", targets: ["TrackerMetrics"]),
        .library(name: "TrackerLifecycle", targets: ["TrackerLifecycle"]),
        .library(name: "TrackerSwiftConfiguration", targets: ["TrackerSwiftConfiguration"]),
        .library(name: "TrackerTracing", targets: ["TrackerTracing"]),
        .library(name: "TrackerHummingbird", targets: ["TrackerHummingbird"]),
        .library(name: "TrackerHummingbirdConsole", targets: ["TrackerHummingbirdConsole"]),
        .library(name: "TrackerSignedOverrides", targets: ["TrackerSignedOverrides"]),
        .library(name: "TrackerAsyncHTTPClient", targets: ["TrackerAsyncHTTPClient"]),
        .library(name: "TrackerRedis", targets: ["TrackerRedis"]),
        .library(name: "TrackerEtcd", targets: ["TrackerEtcd"]),
        .library(name: "TrackerCrypto", targets: ["TrackerCrypto"]),
    ],
    dependencies: [
        sdk,
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        .systemLibrary(name: "TrackerHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "IntegrationsPlatform"),
        .target(name: "TrackerLogging", dependencies: [trackerConfig, logging]),
        .target(name: "TrackerMetrics", dependencies: [trackerConfig, trackerCore, metrics, serviceLifecycle]),
        .target(name: "TrackerLifecycle", dependencies: [trackerConfig, logging, serviceLifecycle]),
        .target(name: "TrackerSwiftConfiguration", dependencies: [trackerConfig, trackerFeatures, configuration]),
        .target(name: "TrackerTracing", dependencies: [trackerConfig, trackerFeatures, tracing]),
        .target(
            name: "TrackerHummingbird",
            dependencies: ["IntegrationsPlatform", trackerConfig, hummingbird, httpTypes, nioCore]),
        .target(
            name: "TrackerHummingbirdConsole",
            dependencies: [trackerConfig, trackerConsole, hummingbird, httpTypes, serviceLifecycle]),
        .target(
            name: "TrackerSignedOverrides",
            dependencies: [trackerConfig, trackerCore, hummingbird, httpTypes, crypto, logging]),
        .target(
            name: "TrackerAsyncHTTPClient",
            dependencies: [trackerCore, asyncHTTPClient, nioCore, nioHTTP1, nioHTTPCompression, nioSSL]),
        .target(
            name: "TrackerRedis",
            dependencies: ["IntegrationsPlatform", trackerFeatures, "TrackerHiredis"]),
        .target(name: "TrackerEtcd", dependencies: [trackerFeatures]),
        .target(name: "TrackerCrypto", dependencies: [trackerConfig, crypto, cryptoExtras]),
        .target(
            name: "IntegrationTesting",
            dependencies: ["IntegrationsPlatform", trackerConfig, trackerFeatures, trackerTesting],
            path: "Tests/IntegrationTesting"),
        .executableTarget(
            name: "assign-variants", dependencies: ["TrackerRedis", trackerFeatures], path: "Tests/assign-variants"),
        .executableTarget(
            name: "push-latency", dependencies: ["TrackerRedis", "TrackerEtcd", trackerConfig, trackerFeatures],
            path: "Tests/push-latency"),
        .testTarget(
            name: "TrackerLoggingTests",
            dependencies: [
                "TrackerLogging", "IntegrationTesting", trackerTesting, trackerConfig, logging,
                .product(name: "InMemoryLogging", package: "swift-log"),
            ]),
        .testTarget(
            name: "TrackerMetricsTests",
            dependencies: [
                "TrackerMetrics", "TrackerLifecycle", "IntegrationTesting", trackerTesting, trackerConfig, trackerCore,
                metrics,
                logging,
                serviceLifecycle,
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "TrackerLifecycleTests",
            dependencies: [
                "TrackerLifecycle", "IntegrationTesting", trackerTesting, trackerConfig, trackerCore, logging,
                serviceLifecycle,
            ]),
        .testTarget(
            name: "TrackerSwiftConfigurationTests",
            dependencies: [
                "TrackerSwiftConfiguration", "IntegrationTesting", trackerTesting, trackerConfig, trackerFeatures,
                configuration,
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
            ]),
        .testTarget(
            name: "TrackerTracingTests",
            dependencies: [
                "TrackerTracing", "IntegrationTesting", trackerTesting, trackerConfig, trackerFeatures, tracing,
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "TrackerHummingbirdTests",
            dependencies: [
                "TrackerHummingbird", "TrackerHummingbirdConsole", "TrackerSignedOverrides", "IntegrationTesting",
                trackerTesting, trackerConfig, trackerFeatures, trackerConsole, hummingbird, httpTypes, crypto, logging,
                metrics,
                nioCore, nioHTTP1, serviceLifecycle,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
        .testTarget(
            name: "TrackerAsyncHTTPClientTests",
            dependencies: [
                "TrackerAsyncHTTPClient", "IntegrationTesting", trackerTesting, trackerConfig, trackerCore,
                asyncHTTPClient,
                hummingbird, httpTypes,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
        .testTarget(
            name: "TrackerRedisTests",
            dependencies: [
                "TrackerRedis", "assign-variants", "IntegrationTesting", trackerTesting, trackerConfig, trackerFeatures,
            ]),
        .testTarget(
            name: "TrackerEtcdTests",
            dependencies: ["TrackerEtcd", "IntegrationTesting", trackerTesting, trackerConfig, trackerFeatures]),
        .testTarget(
            name: "TrackerCryptoTests",
            dependencies: [
                "TrackerCrypto", "IntegrationTesting", trackerTesting, trackerConfig, trackerCore, trackerGrowthBook,
                crypto,
                cryptoExtras,
            ]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
