import Foundation
import TrackerCommandLine

/// The command line: a demonstration, a file server with a collector, a driver of the SDK, and conformance cases.
@main
enum DemoTracker {
    static func main() async {
        // A reader that has gone is a failed write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(UsageError) {
            let words = Array(CommandLine.arguments.dropFirst())
            try await run(words)
        } catch {
            StandardStream.error.write(line: "demo-tracker: \(error.reason)")
            exit(64)
        }
    }

    private static func run(_ words: [String]) async throws(UsageError) {
        let rest = Array(words.dropFirst())
        switch words.first {
        case nil: try await DemoCommand.run([])
        case "demo": try await DemoCommand.run(rest)
        case "run": try await RunCommand.run(rest)
        case "serve": try await ServeCommand.run(rest)
        case "evaluate": try await EvaluateCommand.run(rest)
        case "--help", "-h", "help": print(help)
        case let word? where movedCommands.contains(word):
            throw UsageError("'\(word)' is a command of tracker-config")
        case let word?: throw UsageError("there is no command '\(word)'; demo-tracker --help lists them")
        }
    }

    /// The commands that earlier releases of `demo-tracker` had.
    private static let movedCommands: Set = ["console", "validate", "diff", "explain", "import", "generate"]

    private static let help = """
        demo-tracker: analytics trackers configured by one remote file, to see and to try

        demo-tracker                     the demonstration: two versions of a file and what they do
        demo-tracker demo [--console]    the same by name, and on behind a console
        demo-tracker serve DIR [...]     a file server and a collector on loopback
        demo-tracker run --config URL    drive the SDK by JSON lines, from a shell or any language
        demo-tracker evaluate            answer GrowthBook's conformance cases by JSON lines

        Each command explains itself with --help. The operator's commands are those of tracker-config.
        """
}
