import Foundation

/// The command line: a demonstration, a file server with a collector, and a driver of the SDK.
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
        case "console": try await ConsoleCommand.run(rest)
        case "validate": exit(try ValidateCommand.run(rest))
        case "diff": exit(try DiffCommand.run(rest))
        case "explain": exit(try ExplainCommand.run(rest))
        case "import": exit(try ImportCommand.run(rest))
        case "generate": exit(try GenerateCommand.run(rest))
        case "--help", "-h", "help": print(help)
        case let word?: throw UsageError("there is no command '\(word)'; demo-tracker --help lists them")
        }
    }

    private static let help = """
        demo-tracker: analytics trackers configured by one remote file, to see and to try

        demo-tracker                     the demonstration: two versions of a file and what they do
        demo-tracker demo [--console]    the same by name, and on behind a console
        demo-tracker serve DIR [...]     a file server and a collector on loopback
        demo-tracker run --config URL    drive the SDK by JSON lines, from a shell or any language
        demo-tracker console [...]       a page that shows what is in effect and why
        demo-tracker validate FILE       what is wrong with a document, and where
        demo-tracker diff OLD NEW        what a service does when a document follows another
        demo-tracker explain FILE        every setting of every tracker that a document gives
        demo-tracker import FILE [...]   a document made of an older system's file
        demo-tracker generate FILE [...] Swift accessors of a document's variables

        Each command explains itself with --help.
        """
}
