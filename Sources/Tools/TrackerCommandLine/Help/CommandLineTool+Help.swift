import TrackerCore

extension CommandLineTool {
    /// The release.
    package static var version: String { String(TrackerVersion.current.trimmingPrefix("swift-srv-")) }

    /// Where the documentation is. The package has no public address yet.
    static let documentation =
        "the package's README.md lists the articles, and its Documentation/build makes a site of them; they are at no "
        + "public address yet"

    /// All commands: those of the tool, and those that explain them.
    package var allCommands: [ToolCommand] { commands + [helpCommand, completionsCommand, manualCommand] }

    private static let markdown = CommandOption(
        "--markdown", .flag, help: "print the reference of all commands in Markdown instead")

    private var helpCommand: ToolCommand {
        let names = commands.map(\.name) + ["help", "completions", "man"]
        return ToolCommand(
            "help", summary: "explain a command", discussion: "Without COMMAND, it lists the commands.",
            operands: [Operand("COMMAND", .word(names), isOptional: true)], options: [Self.markdown],
            examples: [CommandExample("Explain a command", "help \(names[0])")]
        ) { (arguments) throws(CommandFailure) in
            if arguments.isGiven(Self.markdown) {
                StandardStream.output.write(CommandReference(self).text)
                return .success
            }
            let help = CommandHelp(self)
            let command = arguments.operands.first.flatMap { name in allCommands.first { $0.name == name } }
            StandardStream.output.write(line: command.map { help.text(of: $0) } ?? help.text)
            return .success
        }
    }

    private var completionsCommand: ToolCommand {
        ToolCommand(
            "completions", summary: "print a script that completes commands and options in a shell",
            discussion: "In bash, this loads it into the running shell\n  source <(\(name) completions bash)",
            operands: [Operand("SHELL", .word(ShellCompletions.Shell.allCases.map(\.rawValue)))],
            examples: [
                CommandExample(
                    "Install completions for bash",
                    "completions bash \\\n    > ~/.local/share/bash-completion/completions/\(name)"),
                CommandExample("Install completions for zsh", "completions zsh > ~/.zfunc/_\(name)"),
                CommandExample(
                    "Install completions for fish",
                    "completions fish \\\n    > ~/.config/fish/completions/\(name).fish"),
            ]
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
            "man", summary: "print the manual page", discussion: "The page is in the roff format, for man.",
            examples: [CommandExample("Read the manual page", "man | man -l -")]
        ) { (_) throws(CommandFailure) in
            StandardStream.output.write(ManualPage(self).text)
            return .success
        }
    }
}
