import Foundation
package import TrackerConfig
import TrackerCore

/// The options by which a command starts a service's setup.
package struct ServiceArguments {
    package static let options: Set = [
        "--config", "--default", "--default-version", "--cache-dir", "--state-dir", "--poll", "--timeout",
        "--max-bytes",
        "--ca-file", "--log-level", "--user", "--overrides", "--allowed-collectors", "--dead-letters",
    ]

    package static let help = """
          --config URL          the document: http, https or file; {user} in it stands for the user; required
          --user ID             the user at the start
          --overrides FILE      where overrides of features are kept; else they end with the process
          --default FILE        a document that is the default: its bundles, features and experiments
          --default-version N   the default's version
          --cache-dir DIR       where fetched documents are kept
          --state-dir DIR       where unsent events are kept
          --dead-letters BYTES  keep so many bytes of dropped events, for tracker-config events; else none
          --poll SECONDS        fetch again and again; SIGHUP fetches at once, with or without it
          --timeout SECONDS     the time of a fetch (10)
          --max-bytes N         the largest document (1048576)
          --ca-file FILE        certificates to trust instead of the system's for the document, in PEM form
          --allowed-collectors LIST
                                the collectors that the document may name, separated by commas, as
                                https://collector.example.com,*.example.org
          --log-level LEVEL     off, error, warning, info, debug or verbose (warning)
        """

    private let remote: RemoteConfiguration
    private let options: SetupOptions
    private let document: Document?
    private let version: Int?

    package init(_ arguments: Arguments) throws(UsageError) {
        guard let config = arguments.text("--config") else { throw UsageError("--config URL is needed") }
        var remote = RemoteConfiguration(endpoint: config)
        remote.user = arguments.text("--user")
        remote.pollInterval = try arguments.seconds("--poll")
        if let timeout = try arguments.seconds("--timeout") { remote.timeout = timeout }
        if let size = try arguments.integer("--max-bytes", in: 1...1 << 30) { remote.maxDocumentSize = size }
        remote.certificateFile = arguments.text("--ca-file")
        remote.allowedCollectors = arguments.text("--allowed-collectors")?.split(separator: ",").map(String.init)
        var options = SetupOptions()
        options.cacheDirectory = arguments.text("--cache-dir")
        options.stateDirectory = arguments.text("--state-dir")
        if let bytes = try arguments.integer("--dead-letters", in: 1_000...1 << 40) {
            options.deadLetters = .file(maxBytes: bytes)
        }
        options.log = StandardErrorLog()
        // What a command prints tells what was applied; the log is for what is wrong.
        options.logLevel = .warning
        options.refreshesOnHangup = true
        if let level = arguments.text("--log-level") {
            guard let level = LogLevel(rawValue: level) ?? (level == LogLevel.trace.name ? .trace : nil) else {
                let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--log-level is one of \(names), not '\(level)'")
            }
            options.logLevel = level
        }
        options.features.overridesFile = arguments.text("--overrides")
        let log = Log(options.log, level: options.logLevel)
        document = try arguments.text("--default").map { path throws(UsageError) in try Self.document(path, log) }
        version = try arguments.integer("--default-version", in: 0...2_147_483_647)
        (self.remote, self.options) = (remote, options)
    }

    /// Starts the setup.
    /// - Parameters:
    ///   - onOutcome: Called at the end of each fetch.
    ///   - onSuccess: Called for each configuration that is applied.
    /// - Returns: The setup.
    /// - Throws: Where the options cannot be used.
    package func start(
        onOutcome: (@Sendable (ConfigurationOutcome) -> Void)? = nil,
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void
    ) throws(UsageError) -> Setup {
        var options = options
        options.onOutcome = onOutcome
        do throws(ConfigurationError) {
            if let document {
                return try Setup(
                    remote: remote, default: document, version: version, options: options, onSuccess: onSuccess)
            }
            return try Setup(remote: remote, version: version, options: options, onSuccess: onSuccess)
        } catch {
            throw UsageError(error.description)
        }
    }

    private static func document(_ path: String, _ log: Log) throws(UsageError) -> Document {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError("the default \(path) cannot be read")
        }
        do throws(ConfigurationError) {
            let document = try Document(Array(data), purpose: .default)
            for warning in document.warnings { log.warning("\(path): \(warning)") }
            return document
        } catch {
            throw UsageError("the default \(path) cannot be used: \(error)")
        }
    }
}
