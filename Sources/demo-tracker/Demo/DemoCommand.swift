import Foundation
import TrackerCommandLine

/// `demo-tracker demo`: the demonstration.
enum DemoCommand {
    private static let console = CommandOption(
        "--console", .flag,
        help: "goes on with a shop behind a console, to be opened in a browser, until Ctrl-C; changes are allowed")

    private static let verbose = CommandOption(
        "--verbose", .flag,
        help: "shows also each document, each configuration that is applied, each fetch and each event, with its time")

    static let command = ToolCommand(
        "demo", summary: "the demonstration: documents that change, and what that does to a service",
        discussion: """
            Publishes nine versions of a document and shows, in eight chapters, what they do to a service: it starts from its
            cache, keeps what code has set, loses a tracker, refuses a wrong document, reverts a canary, loses no event when a
            process is killed, evaluates a feature and an experiment, and gets a change at once. Each chapter ends with its
            result, which is counted. If one is not what the chapter claims, the demonstration stops there, with status 1.

            It needs nothing, listens on loopback only, ends by itself within seconds, and leaves nothing behind. Without a
            command, this is what demo-tracker does.
            """,
        options: [console, verbose] + ServerArguments.options + [.color],
        examples: [
            CommandExample("Run the demonstration", "demo"),
            CommandExample("Continue with a shop behind a console", "demo --console --port 8080"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        // All servers are on this machine, and a proxy would look for them on its own.
        setenv("no_proxy", "127.0.0.1", 1)
        let hasConsole = arguments.isGiven(Self.console)
        if !hasConsole, let option = ServerArguments.options.first(where: arguments.isGiven) {
            throw .usage("\(option.name) needs --console")
        }
        let server = hasConsole ? try ServerArguments(arguments, title: "Shop", allowsChanges: true) : nil
        // Before the story: a port that is taken must not be found out at its end.
        let console = try server?.listen()
        let termination = await Termination()
        let directory = try RunDirectory("demo-tracker")
        let timeline = Timeline(TextStyle(arguments), isVerbose: arguments.isGiven(verbose))
        let story = Task { await show(timeline, directory.path, isWhole: !hasConsole) }
        let signal = Task {
            let number = await termination.wait()
            story.cancel()
            return number
        }
        let result = await story.value
        do {
            defer { directory.remove() }
            if try result.get(), let server, let console {
                try await continueShop(server, console, timeline, directory.path, until: signal)
                return .success
            }
        }
        signal.cancel()
        if let number = await signal.value { Termination.endProcess(by: number) }
        return .success
    }

    /// Runs the chapters.
    /// - Parameters:
    ///   - timeline: What they are printed to.
    ///   - directory: The directory for all files.
    ///   - isWhole: Whether nothing follows.
    /// - Returns: Whether they came to their end; false if a signal came first.
    private static func show(
        _ timeline: Timeline, _ directory: String, isWhole: Bool
    ) async -> Result<Bool, CommandFailure> {
        do {
            var demonstration = try Demonstration(directory: directory, timeline)
            timeline.summary(try await demonstration.run().summary)
            if isWhole { timeline.paragraph("next: \(name) demo --console  (a shop and its web console)") }
            return .success(true)
        } catch let fault as BrokenClaim {
            return .failure(CommandFailure(.findings, fault.reason))
        } catch is CancellationError {
            return .success(false)
        } catch {
            return .failure(unavailable(error))
        }
    }

    private static func continueShop(
        _ server: ServerArguments, _ console: ConsoleServer, _ timeline: Timeline, _ directory: String,
        until signal: Task<Int32?, Never>
    ) async throws(CommandFailure) {
        do {
            try await LivingShop(directory: directory).run(server, console, timeline, until: signal)
        } catch {
            throw unavailable(error)
        }
    }

    private static func unavailable(_ error: any Error) -> CommandFailure {
        let reason = (error as? CommandFailure)?.reason ?? "\(error)"
        return CommandFailure(.unavailable, "the demonstration could not run: \(reason)")
    }

    /// The words by which the user can run this executable once more.
    private static var name: String {
        CommandLine.arguments[0].contains("/.build/") ? "swift run demo-tracker" : "demo-tracker"
    }
}
