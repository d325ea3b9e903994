import TrackerCommandLine

/// The operator's tool: checks, compares, explains, imports and shows configuration documents, and resends dropped events.
@main
enum TrackerConfigTool {
    static let tool = CommandLineTool(
        "tracker-config", summary: "check, compare, explain and show configuration documents",
        commands: [
            ValidateCommand.command, DiffCommand.command, ExplainCommand.command, ImportCommand.command,
            GenerateCommand.command, EventsCommand.command, ConsoleCommand.command,
        ], relatedTools: ["demo-tracker"])

    static func main() async {
        await tool.main()
    }
}
