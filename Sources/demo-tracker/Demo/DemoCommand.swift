import Foundation
import TrackerCommandLine

/// `demo-tracker demo`: the demonstration.
enum DemoCommand {
    private static let console = CommandOption(
        "--console", .flag,
        help: "goes on with a shop behind a console, to be opened in a browser, until Ctrl-C; changes are allowed")

    static let command = ToolCommand(
        "demo", summary: "the demonstration: configuration files that change, and what that does to a service",
        discussion: """
            Publishes two versions of a configuration file and one that is wrong, and shows what they do to a service's
            trackers: what is applied and removed, what stays, what each collector receives, and how the service restarts
            without a network. A second file has features, an experiment and rules, and shows what each user gets. A third one
            is on a server with a stream, by which a change arrives at once. It needs nothing, listens on loopback only and
            ends by itself. Without a command, this is what demo-tracker does.
            """,
        options: [console] + ServerArguments.options + [.color],
        examples: [
            CommandExample("Run the demonstration", "demo"),
            CommandExample("Continue with a shop behind a console", "demo --console --port 8080"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let hasConsole = arguments.isGiven(Self.console)
        if !hasConsole, let option = ServerArguments.options.first(where: arguments.isGiven) {
            throw .usage("\(option.name) needs --console")
        }
        let server = hasConsole ? try ServerArguments(arguments, title: "Shop", allowsChanges: true) : nil
        // Before the story: a port that is taken must not be found out at its end.
        let console = try server?.listen()
        let directory = NSTemporaryDirectory() + "demo-tracker-\(UUID().uuidString)"
        // A directory that stays behind is the system's to remove.
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let timeline = Timeline(TextStyle(arguments))
            try await Demonstration(directory: directory, timeline).run()
            if let server, let console {
                try await LivingShop(directory: directory).run(server, console, timeline)
            } else {
                timeline.chapter("That was all. demo-tracker --help lists what else can be tried.")
            }
        } catch {
            let reason = (error as? CommandFailure)?.reason ?? "\(error)"
            throw CommandFailure(.unavailable, "the demonstration could not run: \(reason)")
        }
        return .success
    }
}
