import Foundation
import TrackerCommandLine

/// `demo-tracker demo`: the demonstration.
enum DemoCommand {
    private static let console = CommandOption(
        "--console", .flag,
        help: "goes on with a shop behind a console, to be opened in a browser, until Ctrl-C; changes are allowed")

    private static let verbose = CommandOption(
        "--verbose", .flag, help: "writes the log of the service on standard error, with each fetch and each change")

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
        // All servers are on this machine, which a proxy could not reach.
        setenv("no_proxy", "127.0.0.1", 1)
        let hasConsole = arguments.isGiven(Self.console)
        if !hasConsole, let option = ServerArguments.options.first(where: arguments.isGiven) {
            throw .usage("\(option.name) needs --console")
        }
        let server = hasConsole ? try ServerArguments(arguments, title: "Shop", allowsChanges: true) : nil
        // Listen before the demonstration starts, so that a port in use is reported at once.
        let console = try server?.listen()
        let termination = await Termination()
        let directory = try RunDirectory("demo-tracker")
        let printer = Printer(style: TextStyle(arguments))
        let story = Task {
            var demonstration = Demonstration(
                directory: directory.path, printer: printer, servers: try DemoServers("\(directory.path)/files"),
                log: arguments.isGiven(verbose) ? StandardErrorLog() : nil)
            try await demonstration.run()
            if let server, let console {
                try await demonstration.runShop(server, console)
            } else {
                // The command with which the user can run this executable again.
                let name = CommandLine.arguments[0].contains("/.build/") ? "swift run demo-tracker" : "demo-tracker"
                printer.write("next: \(name) demo --console  (a shop and its web console)")
                printer.write("documentation: README.md lists the articles; Documentation/build makes a site")
            }
        }
        let signal = Task {
            let number = await termination.wait()
            story.cancel()
            return number
        }
        let result = await story.result
        directory.remove()
        if case .failure(let error) = result {
            // If the task was cancelled, its error does not matter.
            if story.isCancelled, let number = await signal.value { Termination.endProcess(by: number) }
            if let failure = error as? CommandFailure { throw failure }
            throw CommandFailure(.unavailable, "the demonstration could not run: \(error)")
        }
        signal.cancel()
        return .success
    }
}
