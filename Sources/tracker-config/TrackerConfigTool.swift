import TrackerCommandLine

/// The operator's tool: checks, compares, explains, imports and shows configuration documents, and resends dropped events.
@main
enum TrackerConfigTool {
    static let tool = CommandLineTool(
        "tracker-config", summary: "checks, compares and shows configuration documents",
        commands: [
            ValidateCommand.command, DiffCommand.command, ExplainCommand.command, ImportCommand.command,
            GenerateCommand.command, EventsCommand.command, ConsoleCommand.command,
        ])

    static func main() async {
        await tool.main()
    }
}
