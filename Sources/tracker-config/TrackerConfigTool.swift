import TrackerCommandLine

/// The operator's tool: checks, compares, explains and imports documents, and shows their effect in services.
@main
enum TrackerConfigTool {
    static let tool = CommandLineTool(
        "tracker-config", summary: "check, compare, explain and show configuration documents",
        commands: [
            ValidateCommand.command, DiffCommand.command, ExplainCommand.command, ImportCommand.command,
            EventsCommand.command, ConsoleCommand.command, StatusCommand.command,
        ])

    static func main() async {
        await tool.main()
    }
}
