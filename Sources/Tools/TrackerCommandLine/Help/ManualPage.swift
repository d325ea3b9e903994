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
        lines.append(".SH EXAMPLES")
        for example in tool.allCommands.flatMap(\.examples) {
            lines += [".PP", "\(example.purpose):".escaped, ".PP", ".RS 4", ".nf"]
            lines += "\(tool.name) \(example.line)".split(separator: "\n").map { String($0).escaped }
            lines += [".fi", ".RE"]
        }
        lines.append(".SH FILES")
        for (path, meaning) in tool.files { lines += [".TP", path.escaped, meaning.escaped] }
        lines.append(".SH EXIT STATUS")
        for status in ExitStatus.allCases { lines += [".TP", "\(status.rawValue)", status.summary.escaped] }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in tool.variables { lines += [".TP", name.escaped, meaning.escaped] }
        lines.append(".SH SEE ALSO")
        lines += tool.relatedTools.map { ".BR \($0.escaped) (1)" }
        lines += [".PP", "Documentation: \(CommandLineTool.documentation).".escaped]
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
}

extension String {
    /// The text as `man` shows it: a backslash, a hyphen and a control character at the start of a line have meanings.
    fileprivate var escaped: String {
        let text = replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
    }

    /// The text with a capital letter and a full stop.
    var sentence: String { "\(prefix(1).uppercased())\(dropFirst())." }
}
