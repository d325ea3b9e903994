/// A command of a tool: its arguments, its help text, and its action.
package struct ToolCommand: Sendable {
    /// The command's name.
    package let name: String

    /// What the command does, in a few words.
    package let summary: String

    /// The description of the command: paragraphs separated by empty lines; lines with two leading spaces are kept
    /// verbatim.
    package let discussion: String

    /// The operands in order.
    package let operands: [Operand]

    /// The options, without those of every command.
    package let options: [CommandOption]

    /// Example command lines, the most usual first.
    package let examples: [CommandExample]

    /// Whether the command is left out of the list of commands, because it is for scripts.
    package let isHidden: Bool

    /// Runs the command.
    package let action: @Sendable (Arguments) async throws(CommandFailure) -> ExitStatus

    /// Creates a command.
    /// - Parameters:
    ///   - name: The command's name.
    ///   - summary: What the command does, in a few words.
    ///   - discussion: The description of the command, in paragraphs.
    ///   - operands: The operands in order; none by default.
    ///   - options: The options, without those of every command; none by default.
    ///   - examples: Example command lines, the most usual first; none by default.
    ///   - isHidden: Whether the command is left out of the list of commands; false by default.
    ///   - action: Runs the command.
    package init(
        _ name: String, summary: String, discussion: String, operands: [Operand] = [], options: [CommandOption] = [],
        examples: [CommandExample] = [], isHidden: Bool = false,
        action: @escaping @Sendable (Arguments) async throws(CommandFailure) -> ExitStatus
    ) {
        (self.name, self.summary, self.discussion) = (name, summary, discussion)
        (self.operands, self.options, self.examples, self.action) = (operands, options, examples, action)
        self.isHidden = isHidden
    }

    /// All options, including those of every command.
    package var allOptions: [CommandOption] { options + CommandOption.common }

    /// The usage line without the tool's name.
    package var usage: String {
        let words = [name] + operands.map(\.usage) + options.filter(\.isRequired).map(\.usage)
        let hasMore = options.contains { !$0.isRequired }
        return (words + (hasMore ? ["[options]"] : [])).joined(separator: " ")
    }
}

/// An example of a command line, for help.
package struct CommandExample: Sendable, Equatable {
    /// What the command line does, in a few words.
    package let purpose: String

    /// The words after the executable's name, as a shell reads them.
    package let line: String

    /// Creates an example.
    /// - Parameters:
    ///   - purpose: What the command line does, in a few words.
    ///   - line: The words after the executable's name, as a shell reads them.
    package init(_ purpose: String, _ line: String) {
        (self.purpose, self.line) = (purpose, line)
    }
}
