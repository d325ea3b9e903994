import Synchronization
package import TrackerConfig

/// Setups of one process, each with a source of its own, that note when they apply a version.
package final class Fleet: Sendable {
    private final class Times: Sendable {
        let value = Mutex<[Int: [ContinuousClock.Instant]]>([:])
    }

    private let times = Times()
    private let services: [TestService]

    /// Starts setups without polls.
    /// - Parameters:
    ///   - count: Their number.
    ///   - makeSource: Makes the source of one.
    /// - Throws: If a setup cannot be made.
    package init(_ count: Int, _ makeSource: () -> any ConfigurationSource) throws {
        let times = times
        services = try (0..<count).map { _ in
            let source = makeSource()
            return try TestService(
                configure: { $0.source = source },
                onSuccess: { update in
                    guard let version = update.version else { return }
                    times.value.withLock { $0[version, default: []].append(.now) }
                })
        }
    }

    /// Publishes a version and waits until all setups have applied it.
    /// - Parameters:
    ///   - version: The version.
    ///   - publish: Publishes its document.
    /// - Returns: How long each took, in ascending order; fewer than there are setups if it took too long.
    /// - Throws: What `publish` throws.
    package func apply(_ version: Int, _ publish: ([UInt8]) async throws -> Void) async throws -> [Duration] {
        let start = ContinuousClock.now
        try await publish(DocumentSource.document(version))
        _ = try await eventually { times.value.withLock { $0[version]?.count } == services.count }
        return times.value.withLock { $0[version] ?? [] }.map { $0 - start }.sorted()
    }

    /// Stops the setups.
    package func shutdown() async {
        for service in services { await service.setup.shutdown(timeout: .zero) }
    }
}
