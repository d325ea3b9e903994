/// A command of a tool: its words, what help says of it, and what it does.
package struct ToolCommand: Sendable {
    /// The word that names the command.
    package let name: String

    /// What the command does, in a few words.
    package let summary: String

    /// More about the command: paragraphs with an empty line between; lines that begin with two spaces stay as they are.
    package let discussion: String

    /// The words that are no options, in their order.
    package let operands: [Operand]

    /// The options, without those that every command has.
    package let options: [CommandOption]

    /// Command lines that show its use, the most usual first.
    package let examples: [CommandExample]

    /// Whether the list of commands leaves it out, because it is for scripts.
    package let isHidden: Bool

    /// Does what the command is for.
    package let action: @Sendable (Arguments) async throws(CommandFailure) -> ExitStatus

    /// Creates a command.
    /// - Parameters:
    ///   - name: The word that names the command.
    ///   - summary: What the command does, in a few words.
    ///   - discussion: More about the command, in paragraphs.
    ///   - operands: The words that are no options, in their order; none by default.
    ///   - options: The options, without those that every command has; none by default.
    ///   - examples: Command lines that show its use, the most usual first; none by default.
    ///   - isHidden: Whether the list of commands leaves it out; false by default.
    ///   - action: Does what the command is for.
    package init(
        _ name: String, summary: String, discussion: String, operands: [Operand] = [], options: [CommandOption] = [],
        examples: [CommandExample] = [], isHidden: Bool = false,
        action: @escaping @Sendable (Arguments) async throws(CommandFailure) -> ExitStatus
    ) {
        (self.name, self.summary, self.discussion) = (name, summary, discussion)
        (self.operands, self.options, self.examples, self.action) = (operands, options, examples, action)
        self.isHidden = isHidden
    }

    /// All options.
    package var allOptions: [CommandOption] { options + CommandOption.common }

    /// The command's words as usage shows them, without the tool's name.
    package var usage: String {
        let words = [name] + operands.map(\.usage) + options.filter(\.isRequired).map(\.usage)
        let hasMore = options.contains { !$0.isRequired }
        return (words + (hasMore ? ["[options]"] : [])).joined(separator: " ")
    }
}
