import TrackerCommandLine
import TrackerConfig

/// `tracker-config console`: a setup with its console in a browser.
enum ConsoleCommand {
    private static let allowChanges = CommandOption(
        "--allow-changes", .flag,
        help: "allow the page to refresh, override features and force variants; by default it is read-only")

    static let command = ToolCommand(
        "console", summary: "run a service's configuration with its console, to be opened in a browser",
        discussion: """
            FILE is a path or an http, https or file URL. Shows what a service with this document has in effect, and why. It uses no service's cache, state or unsent
            events unless --cache-dir or --state-dir names them. Ctrl-C stops it.
            """,
        operands: [Operand("FILE", .file)],
        options: [allowChanges] + ServerArguments.options + ServiceArguments.options,
        examples: [
            CommandExample("Open a document in the console", "console trackers.json --port 8080"),
            CommandExample(
                "Follow a published document and try changes",
                "console https://config.example.com/trackers.json \\\n    --poll 30 --allow-changes"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let server = try ServerArguments(
            arguments, title: "tracker-config", allowsChanges: arguments.isGiven(allowChanges))
        let service = try ServiceArguments(arguments, document: arguments.operands[0])
        let output = StandardStream.output
        let termination = await Termination()
        let console = try server.listen()
        defer { console.stop() }
        let running = try service.start("tracker-config") { outcome in
            output.write(line: "fetched: \(outcome)".printable)
        } onSuccess: { update in
            // The outcome of a fetch already reports an applied version.
            guard update.state != .fetched else { return }
            let version = update.version.map(String.init) ?? "none"
            output.write(line: "\(update.state.rawValue): version \(version), \(update.namespaces)".printable)
        }
        if let note = running.directoryNote { output.write(line: note) }
        console.show(server.console(running.setup))
        output.write(line: "the console is at \(console.url), \(server.terms)")
        await termination.wait()
        console.stop()
        let report = await running.shutDown(timeout: .seconds(2))
        output.write(line: "shut down: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped")
        return .success
    }
}
