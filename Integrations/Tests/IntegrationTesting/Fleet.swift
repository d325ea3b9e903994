import Synchronization
package import TrackerConfig
import TrackerFeatures

/// Setups of one process, each with a source of its own, that count the versions that they apply.
package final class Fleet: Sendable {
    private final class Counts: Sendable {
        let value = Mutex<[Int: Int]>([:])
    }

    private let counts: Counts
    private let services: [TestService]

    /// Starts setups without polls.
    /// - Parameters:
    ///   - count: Their number.
    ///   - makeSource: Makes the source of one.
    /// - Throws: If a setup cannot be made.
    package init(_ count: Int, _ makeSource: () -> any ConfigurationSource) throws {
        let counts = Counts()
        self.counts = counts
        services = try (0..<count).map { _ in
            let source = makeSource()
            return try TestService(
                configure: { $0.source = source },
                onSuccess: { update in
                    guard let version = update.version else { return }
                    counts.value.withLock { $0[version, default: 0] += 1 }
                })
        }
    }

    /// Publishes a version and waits until all setups have applied it.
    /// - Parameters:
    ///   - version: The version.
    ///   - publish: Publishes its document.
    /// - Returns: Whether all have.
    /// - Throws: What `publish` throws.
    package func apply(_ version: Int, _ publish: ([UInt8]) async throws -> Void) async throws -> Bool {
        try await publish(DocumentSource.document(version))
        return try await eventually { counts.value.withLock { $0[version] } == services.count }
    }

    /// Stops the setups.
    package func shutdown() async {
        for service in services { await service.setup.shutdown(timeout: .zero) }
    }
}
