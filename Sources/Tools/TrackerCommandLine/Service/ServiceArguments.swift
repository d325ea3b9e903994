import Foundation
package import TrackerConfig
import TrackerCore

/// The options of a command that starts a service's setup.
package struct ServiceArguments: Sendable {
    /// The options for commands with the document as an operand.
    package static let options = [
        user, overrides, defaultFile, defaultVersion, cacheDirectory, stateDirectory, poll, stream, timeout, maxBytes,
        certificateFile, logLevel,
    ]

    /// The document, for commands without such an operand.
    package static let config = CommandOption(
        "--config", .file, "URL", isRequired: true,
        help: "the document: an http, https or file URL, or a path; {user} in a URL is replaced by the user's id")
    private static let user = CommandOption(
        "--user", .text, "ID", help: "the id of the user at the start, for {user} in --config")
    private static let overrides = CommandOption(
        "--overrides", .file, "FILE",
        help: "keep overrides of features in FILE; without it they are lost when the command ends")
    package static let defaultFile = CommandOption(
        "--default", .file, "FILE",
        help: "the service's default document: trackers, features and experiments to use before the first fetch")
    package static let defaultVersion = CommandOption(
        "--default-version", .integer(0...9_007_199_254_740_991), "N",
        help: "the version of the default; only documents of a higher version replace it, by default all do")
    private static let cacheDirectory = CommandOption(
        "--cache-dir", .directory, "DIR", builtIn: "a temporary directory", help: "keep fetched documents in DIR")
    private static let stateDirectory = CommandOption(
        "--state-dir", .directory, "DIR", builtIn: "a temporary directory", help: "keep unsent events in DIR")
    /// For `demo-tracker run`, which acts as a service.
    package static let standardDirectories = CommandOption(
        "--standard-dirs", .flag,
        help: "use the directories that a service with this executable's name uses; its unsent events are sent")
    /// For `demo-tracker run`, which acts as a service.
    package static let deadLetters = CommandOption(
        "--dead-letters", .integer(1_000...1 << 40), "BYTES",
        help: "keep up to BYTES bytes of dropped events, for tracker-config events; by default none")
    private static let poll = CommandOption(
        "--poll", .seconds, "SECONDS",
        help: "poll every SECONDS; by default the document is fetched once")
    private static let stream = CommandOption(
        "--stream", .text, "URL",
        help: "a stream of server-sent events that hint at changes")
    private static let timeout = CommandOption(
        "--timeout", .seconds, "SECONDS", builtIn: "10", help: "the time limit of a fetch")
    private static let maxBytes = CommandOption(
        "--max-bytes", .integer(1...1 << 30), "N", builtIn: "1048576", help: "the size limit of the document, in bytes")
    private static let certificateFile = CommandOption(
        "--ca-file", .file, "FILE",
        help: "certificates to trust for the document instead of the system's, in PEM form")
    private static let logLevel = CommandOption(
        "--log-level", .word(LogLevel.allCases.map(\.rawValue) + [LogLevel.trace.name]), "LEVEL", builtIn: "warning",
        help: "lowest level to log on standard error")

    private var remote: RemoteConfiguration
    private var options: SetupOptions
    private let document: Document?
    private let version: Int?
    private let usesStandardDirectories: Bool

    /// Reads the options.
    /// - Parameters:
    ///   - arguments: The arguments of a command.
    ///   - document: The URL or path of the document; nil, the default, uses ``config``.
    /// - Throws: If an option is invalid.
    package init(_ arguments: Arguments, document: String? = nil) throws(CommandFailure) {
        guard let address = document ?? arguments.text(Self.config) else { throw .usage("--config URL is required") }
        remote = RemoteConfiguration(endpoint: try ConfigurationAddress.url(address))
        remote.user = arguments.text(Self.user)
        remote.pollInterval = arguments.seconds(Self.poll)
        remote.streamEndpoint = arguments.text(Self.stream)
        if let timeout = arguments.seconds(Self.timeout) { remote.timeout = timeout }
        if let size = arguments.integer(Self.maxBytes) { remote.maxDocumentSize = size }
        remote.certificateFile = arguments.text(Self.certificateFile)
        options = SetupOptions()
        options.cacheDirectory = arguments.text(Self.cacheDirectory)
        options.stateDirectory = arguments.text(Self.stateDirectory)
        usesStandardDirectories = arguments.isGiven(Self.standardDirectories)
        if let bytes = arguments.integer(Self.deadLetters) { options.deadLetters = .file(maxBytes: bytes) }
        options.log = StandardErrorLog()
        // Commands print applied configurations themselves; the log only reports problems.
        options.logLevel = .warning
        if let name = arguments.text(Self.logLevel) {
            options.logLevel = LogLevel(rawValue: name) ?? .trace
        }
        options.features.overridesFile = arguments.text(Self.overrides)
        let log = Log(options.log, level: options.logLevel)
        self.document = try arguments.text(Self.defaultFile).map { path throws(CommandFailure) in
            try Self.document(path, log)
        }
        version = arguments.integer(Self.defaultVersion)
    }

    /// Starts the setup.
    /// - Parameters:
    ///   - name: The executable's name, for the name of a temporary directory.
    ///   - onOutcome: Called at the end of each fetch.
    ///   - onSuccess: Called for each applied configuration.
    /// - Returns: The setup with its directory.
    /// - Throws: If an option is invalid.
    package func start(
        _ name: String, onOutcome: (@Sendable (ConfigurationOutcome) -> Void)? = nil,
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void
    ) throws(CommandFailure) -> CommandService {
        var options = options
        options.onOutcome = onOutcome
        let hasTemporaryCache = !usesStandardDirectories && options.cacheDirectory == nil
        let hasTemporaryState = !usesStandardDirectories && options.stateDirectory == nil
        var directory: RunDirectory?
        if hasTemporaryCache || hasTemporaryState {
            let own = try RunDirectory(name)
            options.cacheDirectory = options.cacheDirectory ?? "\(own.path)/cache"
            options.stateDirectory = options.stateDirectory ?? "\(own.path)/state"
            directory = own
        }
        do throws(ConfigurationError) {
            return CommandService(
                setup: try setup(options, onSuccess), directory: directory, hasTemporaryCache: hasTemporaryCache,
                hasTemporaryState: hasTemporaryState)
        } catch {
            directory?.remove()
            throw .usage(error.description)
        }
    }

    private func setup(
        _ options: SetupOptions, _ onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void
    ) throws(ConfigurationError) -> Setup {
        guard let document else {
            return try Setup(remote: remote, version: version, options: options, onSuccess: onSuccess)
        }
        // Without `--default-version`, every version replaces the default, whichever version the default document has.
        return try Setup(remote, DefaultConfiguration(document), version: version, options, onSuccess: onSuccess)
    }

    private static func document(_ path: String, _ log: Log) throws(CommandFailure) -> Document {
        let file = try InputFile(path)
        do throws(ConfigurationError) {
            let document = try Document(default: file.text)
            for warning in document.warnings { log.warning("\(file.name): \(warning)") }
            return document
        } catch {
            throw CommandFailure(.findings, "the default \(file.name) cannot be used: \(error)")
        }
    }
}
