import TrackerCommandLine
import TrackerConfig

/// `tracker-config console`: a setup with its console in a browser.
enum ConsoleCommand {
    private static let allowChanges = CommandOption(
        "--allow-changes", .flag,
        help: "lets the page refresh, override features and force variants; else it only shows")

    static let command = ToolCommand(
        "console", summary: "runs a setup of the SDK with its console, to be opened in a browser",
        discussion: """
            Shows what a service with this document would have in effect and why. It touches no service's cache, state or
            unsent events unless --cache-dir, --state-dir or --standard-dirs names them. Ends with Ctrl-C.
            """,
        options: [allowChanges] + ServerArguments.options + ServiceArguments.options, action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let server = try ServerArguments(
            arguments, title: "tracker-config", allowsChanges: arguments.isGiven(allowChanges))
        let service = try ServiceArguments(arguments)
        let output = StandardStream.output
        let termination = await Termination()
        let console = try server.listen()
        defer { console.stop() }
        let running = try service.start("tracker-config") { outcome in
            output.write(line: "fetched: \(outcome)".printable)
        } onSuccess: { update in
            // The outcome of a fetch says what it applied.
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
