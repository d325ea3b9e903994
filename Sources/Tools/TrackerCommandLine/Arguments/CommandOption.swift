import TrackerCore

/// An option of a command, as parsing, help, completions and the manual page need it.
package struct CommandOption: Sendable, Equatable {
    /// What an option takes.
    package enum Form: Sendable, Equatable {
        /// No value.
        case flag
        /// Any text.
        case text
        /// A path of a file.
        case file
        /// A path of a directory.
        case directory
        /// One of some words.
        case word([String])
        /// A whole number within bounds.
        case integer(ClosedRange<Int>)
        /// Seconds, more than 0 and at most 86,400.
        case seconds
    }

    /// The name, with its hyphens.
    package let name: String

    /// What the option takes.
    package let form: Form

    /// What stands for the value in help; empty for a flag.
    package let placeholder: String

    /// Whether the command cannot do without the option.
    package let isRequired: Bool

    /// The value if the option is not given, for help.
    package let builtIn: String?

    /// What the option does.
    package let help: String

    /// Creates an option.
    /// - Parameters:
    ///   - name: The name, with its hyphens.
    ///   - form: What the option takes.
    ///   - placeholder: What stands for the value in help.
    ///   - isRequired: Whether the command cannot do without the option.
    ///   - builtIn: The value if the option is not given, for help.
    ///   - help: What the option does.
    package init(
        _ name: String, _ form: Form, _ placeholder: String = "", isRequired: Bool = false,
        builtIn: String? = nil, help: String
    ) {
        (self.name, self.form, self.placeholder) = (name, form, placeholder)
        (self.isRequired, self.builtIn, self.help) = (isRequired, builtIn, help)
    }

    /// The option with its placeholder, as usage shows it.
    package var usage: String { form == .flag ? name : "\(name) \(placeholder)" }

    /// What the option does, with its words and its default.
    package var details: String {
        var notes: [String] = []
        if case .word(let words) = form { notes.append("one of \(words.joined(separator: ", "))") }
        if let builtIn { notes.append("default: \(builtIn)") }
        if isRequired { notes.append("required") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }

    /// Refuses a value that the option does not take.
    func check(_ value: String) throws(CommandFailure) {
        switch form {
        case .flag, .text, .file, .directory: break
        case .word(let words):
            guard !words.contains(value) else { return }
            let hint = value.meant(in: words).map { "; did you mean '\($0)'?" } ?? ""
            throw .usage("\(name) takes one of \(words.joined(separator: ", ")), not '\(value)'\(hint)")
        case .integer(let range):
            guard let number = Int(value), range ~= number else {
                throw .usage(
                    "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(value)'")
            }
        case .seconds:
            guard let number = Double(value), number > 0, number <= 86_400 else {
                throw .usage("\(name) takes seconds, more than 0 and at most 86400, not '\(value)'")
            }
        }
    }
}

extension CommandOption {
    /// The options that every command has.
    package static let common = [help]

    /// Asks for a command's help.
    package static let help = CommandOption("--help", .flag, help: "show this help")

    /// When output has colours.
    package static let color = CommandOption(
        "--color", .word(["auto", "always", "never"]), "WHEN", builtIn: "auto",
        help: "colours of the output; auto uses them on a terminal unless NO_COLOR is set or TERM is dumb")

    /// Output for scripts.
    package static func json(_ help: String) -> CommandOption { CommandOption("--json", .flag, help: help) }
}
