import TrackerCore

extension CommandLineTool {
    /// The release.
    package static var version: String { String(TrackerVersion.current.trimmingPrefix("swift-srv-")) }

    /// All commands: those of the tool, and those that explain them.
    package var allCommands: [ToolCommand] { commands + [helpCommand, completionsCommand, manualCommand] }

    private var helpCommand: ToolCommand {
        let names = commands.map(\.name) + ["help", "completions", "man"]
        return ToolCommand(
            "help", summary: "explains a command", discussion: "Without COMMAND, it lists the commands.",
            operands: [Operand("COMMAND", .word(names), isOptional: true)]
        ) { (arguments) throws(CommandFailure) in
            let help = CommandHelp(self)
            let command = arguments.operands.first.flatMap { name in allCommands.first { $0.name == name } }
            StandardStream.output.write(line: command.map { help.text(of: $0) } ?? help.text)
            return .success
        }
    }

    private var completionsCommand: ToolCommand {
        ToolCommand(
            "completions", summary: "prints a script with which a shell completes the commands and options",
            discussion: """
                For example
                  source <(\(name) completions bash)
                  \(name) completions zsh > ~/.zfunc/_\(name)
                  \(name) completions fish > ~/.config/fish/completions/\(name).fish
                """,
            operands: [Operand("SHELL", .word(ShellCompletions.Shell.allCases.map(\.rawValue)))]
        ) { (arguments) throws(CommandFailure) in
            guard let shell = arguments.operands.first.flatMap({ ShellCompletions.Shell(rawValue: $0) }) else {
                throw .usage("completions needs SHELL")
            }
            StandardStream.output.write(ShellCompletions(self).script(for: shell))
            return .success
        }
    }

    private var manualCommand: ToolCommand {
        ToolCommand(
            "man", summary: "prints the manual page", discussion: "For example\n  \(name) man | man -l -"
        ) { (_) throws(CommandFailure) in
            StandardStream.output.write(ManualPage(self).text)
            return .success
        }
    }
}
