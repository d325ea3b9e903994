import TrackerCommandLine

/// `demo-tracker run`: one setup, driven by lines.
enum RunCommand {
    static let command = ToolCommand(
        "run", summary: "one setup of the SDK, driven by JSON lines",
        discussion: """
            Prints what happens as one JSON object a line on standard output, takes commands as one JSON object a line on
            standard input, and writes its log to standard error. It touches no service's cache, state or unsent events unless
            --cache-dir, --state-dir or --standard-dirs names them.

            Commands: track, refresh, set, reset, explain, namespaces, status, pause, resume, flush, enabled, value, detail,
            override, deleteOverride, variant, watch, user, forget, meta, setupStatus, quit. For example
              {"id":1,"do":"track","event":{"category":"cart","action":"add"},"committed":true}
              {"id":2,"do":"set","field":"subject.userId","value":"u-1"}
              {"id":3,"do":"refresh"}
              {"id":4,"do":"quit","timeout":2}
            """,
        options: ServiceArguments.options, action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let service = try ServiceArguments(arguments)
        let termination = await Termination()
        let output = StandardStream.output
        let running = try service.start("demo-tracker") {
            output.write($0)
        } onSuccess: {
            output.write($0)
        }
        if let note = running.directoryNote { StandardStream.error.write(line: note) }
        await Driver(service: running).run(LineInput.lines(until: termination))
        return .success
    }
}
