import Foundation
package import TrackerConfig
import TrackerFeatures
import Workload

/// A setup with directories of its own, which end with it, and a source in memory.
package final class Service: Sendable {
    /// Where fetched documents are kept.
    package enum Cache: String, Sendable, CaseIterable {
        case memory
        case disk
    }

    /// By what directories are named in the cache; nothing is fetched from there.
    package static let url = "https://config.example.com/trackers.json"

    package let setup: Setup
    package let source = MemorySource()
    private let directory: String

    /// Starts with nothing in the cache and nothing to fetch.
    package init(_ cache: Cache, transport: (any HTTPTransport)? = nil) async throws {
        directory = try Rig.makeDirectory()
        var options = Self.options(in: directory, source)
        options.transport = transport
        if cache == .memory { options.cache = MemoryCache() }
        setup = try Setup(remote: RemoteConfiguration(endpoint: Self.url), options: options)
        guard await setup.refresh() == .notModified else { throw BenchmarkError("the first refresh failed") }
    }

    /// What a setup works with in a directory.
    package static func options(in directory: String, _ source: any ConfigurationSource) -> SetupOptions {
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/cache"
        options.stateDirectory = "\(directory)/state"
        options.source = source
        return options
    }

    /// Fetches a document and applies it.
    /// - Returns: The milliseconds from the call of `refresh` to its end.
    @discardableResult
    package func apply(_ document: [UInt8]) async throws -> Double {
        source.serve(document)
        let start = Meter.nanoseconds
        let outcome = await setup.refresh()
        let end = Meter.nanoseconds
        guard outcome.kind == .applied else { throw BenchmarkError("\(outcome)") }
        return Double(end - start) / 1e6
    }

    /// Waits until the pipeline's thread has nothing left to do for trackers that were made or changed.
    package func settle() async {
        await setup.removeUnsentEvents(exceptNamespaces: Set(setup.namespaces))
    }

    package func end() async {
        await setup.shutdown(timeout: .zero)
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Answers 200 to everything, at once.
package struct AcceptingTransport: HTTPTransport {
    package init() {}

    package func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        HTTPTransportResponse(status: 200)
    }
}
