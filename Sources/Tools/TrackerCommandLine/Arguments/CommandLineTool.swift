/// An executable with commands.
package struct CommandLineTool: Sendable {
    /// The executable's name.
    package let name: String

    /// What the executable is for, in a few words.
    package let summary: String

    /// The commands of its own, without `help`.
    package let commands: [ToolCommand]

    /// The command that no word at all stands for; nil for the help.
    package let defaultCommand: String?

    /// Creates a tool.
    /// - Parameters:
    ///   - name: The executable's name.
    ///   - summary: What the executable is for, in a few words.
    ///   - commands: The commands of its own.
    ///   - defaultCommand: The command that no word at all stands for; nil, the default, for the help.
    package init(
        _ name: String, summary: String, commands: [ToolCommand], defaultCommand: String? = nil
    ) {
        (self.name, self.summary, self.commands) = (name, summary, commands)
        self.defaultCommand = defaultCommand
    }
}
