extension ShellCompletions {
    /// The script for zsh.
    var zsh: String {
        var lines = [
            "#compdef \(tool.name)",
            "\(function)() {",
            "    local -a commands",
            "    commands=(",
        ]
        lines += tool.allCommands.map { "        \(Self.quoted("\($0.name):\($0.summary)"))" }
        lines += [
            "    )",
            "    if ((CURRENT == 2)); then",
            "        _describe -t commands command commands",
            "        compadd -- \(globalOptions.joined(separator: " "))",
            "        return",
            "    fi",
            "    local command=$words[2]",
            "    shift words",
            "    ((CURRENT--))",
            "    case $command in",
        ]
        for command in tool.allCommands {
            let specifications = command.allOptions.map(Self.specification) + Self.specifications(command.operands)
            lines += ["        \(command.name))", "            _arguments \\"]
            lines += specifications.dropLast().map { "                \(Self.quoted($0)) \\" }
            lines += specifications.suffix(1).map { "                \(Self.quoted($0))" }
            lines.append("            ;;")
        }
        lines += [
            "    esac",
            "}",
            // Of a file in fpath, zsh runs the whole text as the function.
            "if [[ $funcstack[1] == _* ]]; then \(function) \"$@\"; else compdef \(function) \(tool.name); fi",
        ]
        return lines.map { "\($0)\n" }.joined()
    }

    private static func specification(_ option: CommandOption) -> String {
        let meaning = "[\(escaped(option.help))]"
        let start = option.isRepeatable ? "*" : ""
        guard let completion = option.completion else { return start + option.name + meaning }
        return "\(start)\(option.name)=\(meaning):\(option.placeholder):\(action(completion))"
    }

    private static func specifications(_ operands: [Operand]) -> [String] {
        operands.enumerated().map { index, operand in
            let place = operand.isRepeatable ? "*" : "\(index + 1)"
            return "\(place)\(operand.isOptional ? "::" : ":")\(operand.placeholder):\(action(operand.completion))"
        }
    }

    private static func action(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words) where words.isEmpty: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// A text within the brackets of a specification.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
