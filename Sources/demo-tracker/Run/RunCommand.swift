import TrackerCommandLine

/// `demo-tracker run`: one setup, driven by lines.
enum RunCommand {
    static let help = """
        demo-tracker run --config URL [options]: one setup of the SDK, driven by JSON lines

        Prints what happens as one JSON object a line on standard output, takes commands as one JSON object a line on
        standard input, and writes its log to standard error.

        \(ServiceArguments.help)

        Commands: track, refresh, set, reset, explain, namespaces, status, pause, resume, flush, enabled, value, detail,
        override, deleteOverride, variant, watch, user, meta, quit. For example
          {"id":1,"do":"track","event":{"category":"cart","action":"add"},"committed":true}
          {"id":2,"do":"set","field":"subject.userId","value":"u-1"}
          {"id":3,"do":"refresh"}
          {"id":4,"do":"quit","timeout":2}
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(words, options: ServiceArguments.options)
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected here") }
        let termination = await Termination()
        let output = StandardStream.output
        let setup = try ServiceArguments(arguments).start {
            output.write($0)
        } onSuccess: {
            output.write($0)
        }
        await Driver(setup: setup).run(LineInput.lines(until: termination))
    }
}
