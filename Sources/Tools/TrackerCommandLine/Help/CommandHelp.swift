/// The texts of `--help`.
package struct CommandHelp {
    private let tool: CommandLineTool

    /// Creates the help of a tool.
    package init(_ tool: CommandLineTool) {
        self.tool = tool
    }

    /// The help of one command.
    package func text(of command: ToolCommand) -> String {
        var sections = [wrap("\(tool.name) \(command.usage): \(command.summary)")]
        for part in TextLayout.parts(of: command.discussion) {
            switch part {
            case .paragraph(let text): sections.append(wrap(text))
            case .verbatim(let lines): sections.append(lines.joined(separator: "\n"))
            }
        }
        sections.append(
            command.allOptions.flatMap { TextLayout.row($0.usage, $0.details) }.joined(separator: "\n"))
        return sections.joined(separator: "\n\n")
    }

    private func wrap(_ text: String) -> String { TextLayout.wrap(text).joined(separator: "\n") }

    /// The help of the tool: its commands.
    package var text: String {
        let commands = tool.allCommands.flatMap { command in
            TextLayout.row(([command.name] + command.operands.map(\.usage)).joined(separator: " "), command.summary)
        }
        let lone = tool.defaultCommand.map { "; \(tool.name) alone runs \($0)" } ?? ""
        let statuses = ExitStatus.allCases.flatMap { TextLayout.row("\($0.rawValue)", $0.summary) }
        return """
            \(tool.name): \(tool.summary)

            \(tool.name) COMMAND [options]\(lone)
            \(commands.joined(separator: "\n"))

            \(tool.name) COMMAND --help explains a command, \(tool.name) --version prints the version.

            Exit status
            \(statuses.joined(separator: "\n"))
            """
    }
}
