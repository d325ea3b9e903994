/// An executable with commands.
package struct CommandLineTool: Sendable {
    /// The executable's name.
    package let name: String

    /// What the executable is for, in a few words.
    package let summary: String

    /// The commands of its own, without `help`, `completions` and `man`.
    package let commands: [ToolCommand]

    /// The command that no word at all stands for; nil for the help.
    package let defaultCommand: String?

    /// The commands that are another executable's now, by its name.
    package let movedCommands: [String: String]

    /// The other executables of the package, for the manual page.
    package let relatedTools: [String]

    /// Creates a tool.
    /// - Parameters:
    ///   - name: The executable's name.
    ///   - summary: What the executable is for, in a few words.
    ///   - commands: The commands of its own.
    ///   - defaultCommand: The command that no word at all stands for; nil, the default, for the help.
    ///   - movedCommands: The commands that are another executable's now, by its name; none by default.
    ///   - relatedTools: The other executables of the package, for the manual page; none by default.
    package init(
        _ name: String, summary: String, commands: [ToolCommand], defaultCommand: String? = nil,
        movedCommands: [String: String] = [:], relatedTools: [String] = []
    ) {
        (self.name, self.summary, self.commands) = (name, summary, commands)
        (self.defaultCommand, self.movedCommands, self.relatedTools) = (defaultCommand, movedCommands, relatedTools)
    }
}
