extension ShellCompletions {
    /// The script for bash 4 or later.
    var bash: String {
        let names = globalOptions + tool.allCommands.map(\.name)
        var lines = [
            "# bash completion of \(tool.name)",
            "\(function)() {",
            "    local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
            "    local command=\"${COMP_WORDS[1]}\"",
            "    COMPREPLY=()",
            "    # Bash takes --option=value apart at the equals sign.",
            "    if [[ $word == = ]]; then word=; elif [[ $previous == = ]]; then previous=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi",
            "    if ((COMP_CWORD == 1)); then",
            "        \(Self.reply(.words(names)))",
            "        return",
            "    fi",
            "    case \"$command $previous\" in",
        ]
        for command in tool.allCommands {
            for option in command.allOptions {
                guard let completion = option.completion else { continue }
                lines.append("        '\(command.name) \(option.name)') \(Self.reply(completion)); return ;;")
            }
        }
        lines += ["    esac", "    case \"$command\" in"]
        for command in tool.allCommands {
            lines += [
                "        \(command.name))",
                "            if [[ $word == -* ]]; then",
                "                \(Self.reply(.words(command.allOptions.map(\.name))))",
            ]
            if let operand = command.operands.last {
                lines += ["            else", "                \(Self.reply(operand.completion))"]
            }
            lines += ["            fi", "            ;;"]
        }
        lines += ["    esac", "}", "complete -o filenames -F \(function) \(tool.name)"]
        return lines.map { "\($0)\n" }.joined()
    }

    private static func reply(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .directories: "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")"
        }
    }
}
