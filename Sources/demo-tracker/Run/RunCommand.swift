import TrackerCommandLine

/// `demo-tracker run`: one setup, controlled by JSON lines.
enum RunCommand {
    static let command = ToolCommand(
        "run", summary: "run the SDK, driven by commands as JSON lines",
        discussion: """
            Reads commands from standard input and prints results and events on standard output, one JSON object a line
            each. The log is on standard error. It uses no service's cache, state or unsent events unless --cache-dir,
            --state-dir or --standard-dirs names them.

            Commands: track, refresh, set, reset, explain, namespaces, status, pause, resume, flush, enabled, value, detail,
            override, deleteOverride, variant, watch, forget, meta, setupStatus, quit. For example
              {"id":1,"do":"track","event":{"category":"cart","action":"add"}}
              {"id":2,"do":"set","field":"subject.userId","value":"u-1"}
              {"id":3,"do":"refresh"}
              {"id":4,"do":"quit","timeout":2}
            """,
        options: [ServiceArguments.config] + ServiceArguments.options + [
            ServiceArguments.standardDirectories, ServiceArguments.deadLetters,
        ], isHidden: true, action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let service = try ServiceArguments(arguments)
        let termination = await Termination()
        let output = StandardStream.output
        let running = try service.start("demo-tracker") {
            output.write("outcome", $0.line)
        } onSuccess: {
            output.write("update", $0.line)
        }
        if let note = running.directoryNote { StandardStream.error.write(line: note) }
        await Driver(service: running).run(LineInput.lines(until: termination))
        return .success
    }
}
