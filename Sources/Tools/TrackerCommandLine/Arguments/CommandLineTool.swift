/// An executable with commands.
package struct CommandLineTool: Sendable {
    /// The executable's name.
    package let name: String

    /// The purpose of the executable, in a few words.
    package let summary: String

    /// The tool's own commands, without `help`.
    package let commands: [ToolCommand]

    /// The command for an empty command line; nil for the help.
    package let defaultCommand: String?

    /// Creates a tool.
    /// - Parameters:
    ///   - name: The executable's name.
    ///   - summary: The purpose of the executable, in a few words.
    ///   - commands: The tool's own commands.
    ///   - defaultCommand: The command for an empty command line; nil, the default, for the help.
    package init(_ name: String, summary: String, commands: [ToolCommand], defaultCommand: String? = nil) {
        (self.name, self.summary, self.commands) = (name, summary, commands)
        self.defaultCommand = defaultCommand
    }
}
