import Foundation
import TrackerCommandLine

/// The operator's tool: checks, compares, explains, imports and shows configuration documents, and resends dropped events.
@main
enum TrackerConfigTool {
    static func main() async {
        // If the reader of the output has gone, a write fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(UsageError) {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            StandardStream.error.write(line: "tracker-config: \(error.reason)")
            exit(64)
        }
    }

    private static func run(_ words: [String]) async throws(UsageError) {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "validate": exit(try ValidateCommand.run(rest))
        case "diff": exit(try DiffCommand.run(rest))
        case "explain": exit(try ExplainCommand.run(rest))
        case "import": exit(try ImportCommand.run(rest))
        case "generate": exit(try GenerateCommand.run(rest))
        case "events": exit(try await EventsCommand.run(rest))
        case "console": try await ConsoleCommand.run(rest)
        case nil, "--help", "-h", "help": print(help)
        case let word?: throw UsageError("there is no command '\(word)'; tracker-config --help lists them")
        }
    }

    private static let help = """
        tracker-config: checks, compares and shows configuration documents

        tracker-config validate FILE       what is wrong with a document, and where
        tracker-config diff OLD NEW        what a service does when a document follows another
        tracker-config explain FILE        every setting of every tracker that a document gives
        tracker-config import FILE [...]   a document made of an older system's file
        tracker-config generate FILE [...] Swift accessors of a document's variables
        tracker-config events ACTION [...] events that were dropped and kept: list, export, resend
        tracker-config console [...]       a page that shows what is in effect and why

        Each command explains itself with --help.
        """
}
