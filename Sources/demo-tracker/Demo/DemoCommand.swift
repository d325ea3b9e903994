import Foundation
import TrackerCommandLine

/// `demo-tracker demo`: the demonstration.
enum DemoCommand {
    static let help = """
        demo-tracker demo [--console]: the demonstration; it needs nothing, listens on loopback only and ends by itself

        Publishes two versions of a configuration file and one that is wrong, and shows what they do to a service's
        trackers: what is applied and removed, what stays, what each collector receives, and how the service restarts
        without a network.

          --console     goes on with a shop behind a console, to be opened in a browser, until Ctrl-C; changes are allowed
          --port N      the port of the console (a free one)
          --token T     what the page asks for before it shows anything
          --host ADDR   the address to listen on (127.0.0.1); another one needs --token
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(words, options: ServerArguments.options, flags: ["--console"])
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected here") }
        let server =
            arguments.has("--console") ? try ServerArguments(arguments, title: "Shop", allowsChanges: true) : nil
        let directory = NSTemporaryDirectory() + "demo-tracker-\(UUID().uuidString)"
        // A directory that stays behind is the system's to remove.
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let timeline = Timeline()
            try await Demonstration(directory: directory, timeline).run()
            if let server { try await LivingShop(directory: directory).run(server, timeline) }
        } catch {
            throw UsageError("the demonstration could not run: \(error)")
        }
    }
}
