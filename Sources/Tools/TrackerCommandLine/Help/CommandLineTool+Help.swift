import TrackerCore

extension CommandLineTool {
    /// The version of the release.
    package static var version: String { String(TrackerVersion.current.trimmingPrefix("swift-srv-")) }

    /// All commands: those of the tool, and `help`.
    package var allCommands: [ToolCommand] { commands + [helpCommand] }

    private var helpCommand: ToolCommand {
        let names = commands.map(\.name) + ["help"]
        return ToolCommand(
            "help", summary: "explain a command", discussion: "Without COMMAND, it lists the commands.",
            operands: [Operand("COMMAND", .word(names), isOptional: true)],
            examples: [CommandExample("Explain a command", "help \(names[0])")]
        ) { (arguments) throws(CommandFailure) in
            let help = CommandHelp(self)
            let command = arguments.operands.first.flatMap { name in allCommands.first { $0.name == name } }
            StandardStream.output.write(line: command.map { help.text(of: $0) } ?? help.text)
            return .success
        }
    }
}
