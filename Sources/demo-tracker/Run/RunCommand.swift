import Foundation
import TrackerConfig
import TrackerCore

/// `demo-tracker run`: one setup, driven by lines.
enum RunCommand {
    static let help = """
        demo-tracker run --config URL [options]: one setup of the SDK, driven by JSON lines

        Prints what happens as one JSON object a line on standard output, takes commands as one JSON object a line on
        standard input, and writes its log to standard error.

          --config URL          the document: http, https or file; {user} in it stands for the user; required
          --user ID             the user at the start
          --overrides FILE      where overrides of features are kept; else they end with the process
          --default FILE        a document that is the default: its bundles, features and experiments
          --default-version N   the default's version
          --cache-dir DIR       where fetched documents are kept
          --state-dir DIR       where unsent events are kept
          --poll SECONDS        fetch again and again; SIGHUP fetches at once, with or without it
          --timeout SECONDS     the time of a fetch (10)
          --max-bytes N         the largest document (1048576)
          --ca-file FILE        certificates to trust, in PEM form
          --log-level LEVEL     off, error, debug or verbose (error)

        Commands: track, refresh, set, reset, explain, namespaces, status, pause, resume, flush, enabled, value, override,
        deleteOverride, variant, watch, user, meta, quit. For example
          {"id":1,"do":"track","event":{"category":"cart","action":"add"},"committed":true}
          {"id":2,"do":"set","field":"subject.userId","value":"u-1"}
          {"id":3,"do":"refresh"}
          {"id":4,"do":"quit","timeout":2}
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(
            words,
            options: [
                "--config", "--default", "--default-version", "--cache-dir", "--state-dir", "--poll", "--timeout",
                "--max-bytes", "--ca-file", "--log-level", "--user", "--overrides",
            ])
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected here") }
        guard let config = arguments.text("--config") else { throw UsageError("run needs --config URL") }

        var remote = RemoteConfiguration(endpoint: config)
        remote.user = arguments.text("--user")
        remote.pollInterval = try arguments.seconds("--poll")
        if let timeout = try arguments.seconds("--timeout") { remote.timeout = timeout }
        if let size = try arguments.integer("--max-bytes", in: 1...1 << 30) { remote.maximumSize = size }
        remote.certificateFile = arguments.text("--ca-file")
        let output = LineOutput()
        var options = SetupOptions()
        options.cacheDirectory = arguments.text("--cache-dir")
        options.stateDirectory = arguments.text("--state-dir")
        options.log = StandardErrorLog()
        options.refreshesOnHangup = true
        if let level = arguments.text("--log-level") {
            guard let level = LogLevel(rawValue: level) else {
                throw UsageError("--log-level is one of off, error, debug, verbose, not '\(level)'")
            }
            options.logLevel = level
        }
        options.onOutcome = { output.write($0) }
        options.features.overridesFile = arguments.text("--overrides")
        let document = try arguments.text("--default").map { path throws(UsageError) in
            try self.document(path, Log(options.log, level: options.logLevel))
        }
        let version = try arguments.integer("--default-version", in: 0...2_147_483_647)
        do throws(ConfigurationError) {
            let setup =
                if let document {
                    try Setup(remote: remote, default: document, version: version, options: options) {
                        output.write($0)
                    }
                } else {
                    try Setup(remote: remote, version: version, options: options) { output.write($0) }
                }
            await Driver(setup: setup, output: output).run(LineInput.lines())
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
            for warning in document.warnings {
                log.error("\(path): \(warning)")
            }
            return document
        } catch {
            throw UsageError("the default \(path) cannot be used: \(error)")
        }
    }
}
