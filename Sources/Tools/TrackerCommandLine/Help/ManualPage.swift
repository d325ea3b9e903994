/// The manual page of a tool, in the language of `man`.
package struct ManualPage {
    private let tool: CommandLineTool

    /// Creates the page of a tool.
    package init(_ tool: CommandLineTool) {
        self.tool = tool
    }

    /// The page.
    package var text: String {
        var lines = [
            ".TH \(tool.name.uppercased().escaped) 1 \"\" \"\(tool.name.escaped) \(CommandLineTool.version.escaped)\"",
            ".SH NAME", "\(tool.name.escaped) \\- \(tool.summary.escaped)",
            ".SH SYNOPSIS", ".B \(tool.name.escaped)", ".I COMMAND", "[options]",
            ".SH COMMANDS",
        ]
        lines += tool.allCommands.flatMap(section)
        lines.append(".SH EXIT STATUS")
        for status in ExitStatus.allCases { lines += [".TP", "\(status.rawValue)", status.summary.escaped] }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in variables { lines += [".TP", name.escaped, meaning.escaped] }
        return lines.map { "\($0)\n" }.joined()
    }

    private func section(_ command: ToolCommand) -> [String] {
        var lines = [".SS \"\(command.usage.escaped)\"", command.summary.sentence.escaped]
        for part in TextLayout.parts(of: command.discussion) {
            switch part {
            case .paragraph(let text): lines += [".PP", text.escaped]
            case .verbatim(let verbatim): lines += [".PP", ".nf"] + verbatim.map(\.escaped) + [".fi"]
            }
        }
        for option in command.options { lines += [".TP", option.usage.escaped, option.details.escaped] }
        return lines
    }

    private var variables: [(name: String, meaning: String)] {
        var variables = [
            (name: "NO_COLOR", meaning: "if set, output has no colours"),
            (name: "TERM", meaning: "if dumb, output has no colours"),
        ]
        for option in tool.commands.flatMap(\.options) {
            guard let name = option.environment, !variables.contains(where: { $0.name == name }) else { continue }
            variables.append((name: name, meaning: "the value of \(option.name) if that is not given"))
        }
        return variables
    }
}

extension String {
    /// The text as `man` shows it: a backslash, a hyphen and a control character at the start of a line have meanings.
    fileprivate var escaped: String {
        let text = replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
    }

    /// The text with a capital letter and a full stop.
    fileprivate var sentence: String { "\(prefix(1).uppercased())\(dropFirst())." }
}
