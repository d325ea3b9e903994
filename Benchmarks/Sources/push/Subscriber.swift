import ConfigurationWorkload
import Foundation
import TrackerConfig
import TrackerCore
import Workload

/// The process that has the setups: says on standard output when each has applied a version, and ends with standard input.
struct Subscriber {
    private let remote: RemoteConfiguration
    private let setups: Int
    private let document: [UInt8]?

    init(_ options: Options) throws {
        guard let url = options.text("url"), let setups = try options.number("setups") else {
            throw BenchmarkError("a subscriber needs a URL and a number")
        }
        var remote = RemoteConfiguration(endpoint: url)
        remote.streamEndpoint = options.text("stream")
        // Polls have no part in what is measured.
        remote.pollInterval = .seconds(600)
        (self.remote, self.setups) = (remote, setups)
        document = try options.text("document").map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
    }

    func run() async throws {
        // One for all, as for the trackers of one setup: each would have a thread.
        let transport = CurlTransport(maxConnections: 2 * setups)
        let setups = try (0..<setups).map { _ in
            var options = SetupOptions()
            options.cache = MemoryCache()
            (options.storesEvents, options.crashGuard, options.transport) = (false, nil, transport)
            // A source that does not signal.
            if let document { options.source = MemorySource(document) }
            return try Setup(remote: remote, options: options) { update in
                Self.say("\(update.version ?? 0) \(Meter.nanoseconds)")
            }
        }
        await onThread {
            while readLine() != nil { Self.say("resident \(Meter.residentBytes)") }
        }
        withExtendedLifetime(setups) {}
    }

    /// One line by one system call, so that a line is whole.
    private static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}
