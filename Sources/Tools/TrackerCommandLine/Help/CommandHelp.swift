import TrackerCore

/// The texts of `--help`.
package struct CommandHelp {
    private let tool: CommandLineTool
    private let width: Int

    /// Creates the help of a tool.
    /// - Parameters:
    ///   - tool: The tool.
    ///   - width: The maximum number of characters in a line; by default the terminal's width, 80 to 100.
    package init(_ tool: CommandLineTool, width: Int = TextLayout.width()) {
        (self.tool, self.width) = (tool, width)
    }

    /// The help text of one command.
    package func text(of command: ToolCommand) -> String {
        var sections = [wrap("\(tool.name) \(command.usage): \(command.summary)")]
        for part in TextLayout.parts(of: command.discussion) {
            switch part {
            case .paragraph(let text): sections.append(wrap(text))
            case .verbatim(let lines): sections.append(lines.joined(separator: "\n"))
            }
        }
        sections.append(section("Options", command.allOptions.flatMap { row($0.usage, $0.details) }))
        if !command.examples.isEmpty { sections.append(section("Examples", command.examples.flatMap(lines))) }
        return sections.joined(separator: "\n\n")
    }

    /// The help text of the tool with its commands.
    package var text: String {
        let commands = tool.allCommands.filter { !$0.isHidden }.flatMap { command in
            row(([command.name] + command.operands.map(\.usage)).joined(separator: " "), command.summary)
        }
        let lone = tool.defaultCommand.map { "; \(tool.name) alone runs \($0)" } ?? ""
        let examples = tool.commands.compactMap(\.examples.first).prefix(3)
        let end = "\(tool.name) COMMAND --help explains a command, \(tool.name) --version prints the version."
        return [
            wrap("\(tool.name): \(tool.summary)"),
            section("\(tool.name) COMMAND [options]\(lone)", commands),
            section("Examples", examples.flatMap(lines)),
            section("Exit status", ExitStatus.allCases.flatMap { row("\($0.rawValue)", $0.summary) }),
            wrap(end),
        ].joined(separator: "\n\n")
    }

    private func lines(_ example: CommandExample) -> [String] {
        "# \(example.purpose)\n\(tool.name) \(example.line)".split(separator: "\n").map { "  \($0)" }
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        ([title] + lines).joined(separator: "\n")
    }

    private func row(_ name: String, _ meaning: String) -> [String] { TextLayout.row(name, meaning, width: width) }

    private func wrap(_ text: String) -> String { TextLayout.wrap(text, width: width).joined(separator: "\n") }
}

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
