import TrackerCommandLine

/// The command line: a demonstration, a file server with a collector, and a driver of the SDK.
@main
enum DemoTracker {
    static let tool = CommandLineTool(
        "demo-tracker", summary: "see and try trackers, flags and experiments configured by one remote document",
        commands: [DemoCommand.command, ServeCommand.command, RunCommand.command], defaultCommand: "demo")

    static func main() async {
        await tool.main()
    }
}
