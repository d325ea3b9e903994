import TrackerCommandLine

/// The command line: a demonstration, a file server with a collector, a driver of the SDK, and conformance cases.
@main
enum DemoTracker {
    private static let moved = ["console", "diff", "events", "explain", "generate", "import", "validate"]

    static let tool = CommandLineTool(
        "demo-tracker", summary: "see and try trackers, flags and experiments configured by one remote document",
        commands: [DemoCommand.command, ServeCommand.command, RunCommand.command],
        defaultCommand: "demo",
        movedCommands: Dictionary(uniqueKeysWithValues: moved.map { ($0, "tracker-config") }),
        relatedTools: ["tracker-config"])

    static func main() async {
        await tool.main()
    }
}
