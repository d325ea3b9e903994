import TrackerCore

/// An option of a command, for parsing and help.
package struct CommandOption: Sendable, Equatable {
    /// The kind of value that an option takes.
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

    /// The name, including its hyphens.
    package let name: String

    /// The kind of value.
    package let form: Form

    /// The placeholder of the value in help; empty for a flag.
    package let placeholder: String

    /// Whether the option is required.
    package let isRequired: Bool

    /// The value if the option is missing, for help.
    package let builtIn: String?

    /// The description of the option.
    package let help: String

    /// Creates an option.
    /// - Parameters:
    ///   - name: The name, including its hyphens.
    ///   - form: The kind of value.
    ///   - placeholder: The placeholder of the value in help.
    ///   - isRequired: Whether the option is required.
    ///   - builtIn: The value if the option is missing, for help.
    ///   - help: The description of the option.
    package init(
        _ name: String, _ form: Form, _ placeholder: String = "", isRequired: Bool = false,
        builtIn: String? = nil, help: String
    ) {
        (self.name, self.form, self.placeholder) = (name, form, placeholder)
        (self.isRequired, self.builtIn, self.help) = (isRequired, builtIn, help)
    }

    /// The option with its placeholder, for the usage line.
    package var usage: String { form == .flag ? name : "\(name) \(placeholder)" }

    /// The description of the option, with its words and its default.
    package var details: String {
        var notes: [String] = []
        if case .word(let words) = form { notes.append("one of \(words.joined(separator: ", "))") }
        if let builtIn { notes.append("default: \(builtIn)") }
        if isRequired { notes.append("required") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }

    /// Throws if the option does not accept a value.
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
    /// The options of every command.
    package static let common = [CommandOption("--help", .flag, help: "show this help")]

    /// The option for coloured output.
    package static let color = CommandOption(
        "--color", .word(["auto", "always", "never"]), "WHEN", builtIn: "auto",
        help: "colours of the output; auto uses them on a terminal unless NO_COLOR is set or TERM is dumb")

    /// The option for JSON output.
    package static func json(_ help: String) -> CommandOption { CommandOption("--json", .flag, help: help) }
}
