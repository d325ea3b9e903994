extension ShellCompletions {
    /// The script for fish.
    var fish: String {
        let start = "complete -c \(tool.name)"
        var lines = ["# fish completion of \(tool.name)", "\(start) -f"]
        for option in globalOptions {
            lines.append("\(start) -n __fish_use_subcommand -l \(option.dropFirst(2))")
        }
        for command in tool.allCommands {
            lines.append(
                "\(start) -n __fish_use_subcommand -a \(command.name) -d \(Self.quoted(command.summary))")
        }
        for command in tool.allCommands {
            let within = "\(start) -n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.allOptions {
                let value = option.completion.map { " \(Self.value($0))" } ?? ""
                lines.append("\(within) -l \(option.name.dropFirst(2))\(value) -d \(Self.quoted(option.help))")
            }
            for operand in command.operands {
                switch operand.completion {
                case .files: lines.append("\(within) -F")
                case .directories: lines.append("\(within) -a '(__fish_complete_directories)'")
                case .words(let words): lines.append("\(within) -a \(Self.quoted(words.joined(separator: " ")))")
                }
            }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private static func value(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: "-r -F"
        case .directories: "-x -a '(__fish_complete_directories)'"
        case .words(let words) where words.isEmpty: "-x"
        case .words(let words): "-x -a \(quoted(words.joined(separator: " ")))"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
