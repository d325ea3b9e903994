import Foundation
import Logging
import TrackerConfig
import TrackerLogging

/// The settings of the service, from its environment.
struct ServiceSettings {
    /// The address and the port where it listens: by default on loopback, which a container's clients do not reach.
    let host: String
    let port: Int

    /// The passwords of the staff by name, who may use the console.
    let staff: [String: String]

    private let documentURL: String
    private let streamURL: String?
    private let defaultDocument: Document
    private let instanceID: String?

    /// Reads `HOST`, `PORT`, `CONFIG_URL`, `STREAM_URL`, `DEFAULT_DOCUMENT` (a file in place of the one that the program contains),
    /// `STAFF` (`dana:secret`, with commas between several) and `POD_NAME`. The SDK itself follows `STATE_DIRECTORY` and
    /// `CACHE_DIRECTORY`, as systemd sets them.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        host = environment["HOST"] ?? "127.0.0.1"
        port = environment["PORT"].flatMap(Int.init) ?? 8081
        documentURL = environment["CONFIG_URL"] ?? "http://127.0.0.1:8080/orders.json"
        streamURL = environment["STREAM_URL"]
        let text = try environment["DEFAULT_DOCUMENT"].map { try Array(Data(contentsOf: URL(filePath: $0))) }
        defaultDocument = try Document(default: text ?? PackageResources.default_json)
        instanceID = environment["POD_NAME"]
        var staff: [String: String] = [:]
        for pair in (environment["STAFF"] ?? "").split(separator: ",") {
            let parts = pair.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw SettingsError(description: "STAFF: expected NAME:PASSWORD") }
            staff[parts[0]] = parts[1]
        }
        self.staff = staff
    }

    /// Starts from the cached document or the default, and never waits for the network.
    func setup(_ logger: Logger) throws -> Setup {
        var remote = RemoteConfiguration(endpoint: documentURL)
        remote.pollInterval = .seconds(60)
        remote.streamEndpoint = streamURL
        var options = SetupOptions()
        options.instanceID = instanceID
        let log = LoggerSink(logger)
        options.log = log
        options.logLevel = .info
        options.experiments.exposureNamespaces = ["orders"]
        return try Setup(
            remote: remote, default: defaultDocument, options: options
        ) { update in log.noteVersion(of: update) }
    }
}

/// A setting that cannot be read.
struct SettingsError: Error, CustomStringConvertible {
    let description: String
}
