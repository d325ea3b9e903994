/// The reference of a tool's commands in Markdown, for the article *Command reference*.
package struct CommandReference {
    private let tool: CommandLineTool

    /// Creates the reference of a tool.
    package init(_ tool: CommandLineTool) {
        self.tool = tool
    }

    /// The reference.
    package var text: String {
        var lines = ["## \(tool.name)", "", tool.summary.sentence.markdown, ""]
        lines += Self.block(["\(tool.name) COMMAND [options]"])
        if let name = tool.defaultCommand { lines += ["Without a command, it runs `\(name)`.", ""] }
        lines += Self.table(
            ["command", "purpose"], tool.allCommands.map { ["`\($0.usage)`", $0.summary.markdown] })
        lines += tool.allCommands.flatMap(section)
        lines += ["### Exit status of \(tool.name)", ""]
        lines += Self.table(
            ["status", "meaning"], ExitStatus.allCases.map { ["\($0.rawValue)", $0.summary.markdown] })
        lines += ["### Environment of \(tool.name)", ""]
        lines += Self.table(
            ["variable", "meaning"],
            tool.variables.map { variable in
                let names = variable.name.split(separator: ", ").map { "`\($0)`" }
                return [names.joined(separator: ", "), variable.meaning.markdown]
            })
        lines += ["### Files of \(tool.name)", ""]
        lines += Self.table(["path", "meaning"], tool.files.map { ["`\($0.path)`", $0.meaning.markdown] })
        return lines.dropLast().map { "\($0)\n" }.joined()
    }

    private func section(_ command: ToolCommand) -> [String] {
        var lines = ["### \(tool.name) \(command.name)", "", command.summary.sentence.markdown, ""]
        lines += Self.block(["\(tool.name) \(command.usage)"])
        for part in TextLayout.parts(of: command.discussion) {
            switch part {
            case .paragraph(let text): lines += [text.markdown, ""]
            case .verbatim(let verbatim): lines += Self.block(verbatim.map { String($0.dropFirst(2)) })
            }
        }
        lines += Self.table(
            ["option", "default", "values", "meaning"],
            command.allOptions.map { option in
                [
                    "`\(option.usage)`", option.isRequired ? "required" : option.builtIn?.markdown ?? "–",
                    option.values?.markdown ?? "–", option.meaning.markdown,
                ]
            })
        if command.examples.isEmpty { return lines }
        let examples = command.examples.flatMap { ["# \($0.purpose)", "\(tool.name) \($0.line)"] }
        return lines + Self.block(examples)
    }

    private static func block(_ lines: [String]) -> [String] { ["```"] + lines + ["```", ""] }

    private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        ([head, head.map { _ in "---" }] + rows).map { cells in
            "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
        } + [""]
    }
}

extension CommandOption {
    /// What the option takes, with units and bounds; nil for what its placeholder says.
    fileprivate var values: String? {
        switch form {
        case .flag, .text, .file, .directory: nil
        case .word(let words): words.joined(separator: ", ")
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .seconds: "more than 0, at most 86400 seconds"
        }
    }

    fileprivate var meaning: String {
        help + (isRepeatable ? "; can be repeated" : "") + (environment.map { "; else the variable \($0)" } ?? "")
    }
}

extension String {
    /// The text with each word as code that Markdown would read as something else, such as an option.
    fileprivate var markdown: String {
        split(separator: " ", omittingEmptySubsequences: false).map { $0.markdown }.joined(separator: " ")
    }
}

extension Substring {
    fileprivate var markdown: String {
        let start = prefix { "(\"".contains($0) }
        let end = String(dropFirst(start.count).reversed().prefix { ",.;:)\"".contains($0) }.reversed())
        let word = dropFirst(start.count).dropLast(end.count)
        let isSign = word.count == 1 && word.allSatisfy { !$0.isLetter && !$0.isNumber }
        let isCode = isSign || word.hasPrefix("-") || word.contains { "*_<>{}[]|=`$\\~#".contains($0) }
        return isCode ? "\(start)`\(word)`\(end)" : String(self)
    }
}
