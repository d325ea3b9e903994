import Foundation

/// `demo-tracker demo`: the demonstration.
enum DemoCommand {
    static let help = """
        demo-tracker demo: the demonstration; it needs nothing, listens on loopback only and ends by itself

        Publishes two versions of a configuration file and one that is wrong, and shows what they do to a service's
        trackers: what is applied and removed, what stays, what each collector receives, and how the service restarts
        without a network.
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(words, options: [])
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected here") }
        let directory = NSTemporaryDirectory() + "demo-tracker-\(UUID().uuidString)"
        // A directory that stays behind is the system's to remove.
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            try await Demonstration(directory: directory).run()
        } catch {
            throw UsageError("the demonstration could not run: \(error)")
        }
    }
}
