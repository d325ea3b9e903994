import Foundation
import TestSupport
import Testing
import TrackerCommandLine
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting
import tracker_config

@Suite("the command for dead letters", .endsWhenItHangs)
struct EventsCommandTests {
    private let directory = TemporaryDirectory()
    private let bodies = Locked<[[UInt8]]>([])

    private func collector() throws -> LoopbackServer {
        try LoopbackServer { [bodies] request in
            bodies.withLock { $0.append(request.body) }
            return .response(status: 403)
        }
    }

    /// Lets a service with a collector that rejects all drop events, and end.
    private func reject(_ count: Int, at collector: LoopbackServer) async throws -> [String] {
        let pipeline = EventPipeline(stateDirectory: directory.path, serviceName: "shop", deadLetters: .file())
        let tracker = try Tracker(
            ConfigurationBundle(namespace: "shop", network: NetworkConfiguration(endpoint: collector.url)),
            pipeline: pipeline)
        let ids = (1...count).compactMap {
            tracker.track(Structured(category: "cart", action: "\($0)", label: "ä \"\u{1F600}\""))?.description
        }
        await pipeline.shutdown(timeout: WaitedInVain.bound)
        #expect(tracker.counters.droppedByReason == [.rejected: count])
        return ids
    }

    private func run(_ words: [String]) async throws -> TrackerCommandLine.ExitStatus {
        try await EventsCommand.command.run([words[0], "--state-dir", directory.path] + words.dropFirst())
    }

    private var letters: [DeadLetter] {
        get throws {
            var letters: [DeadLetter] = []
            try DeadLetterStore.existing(in: directory.path)?.forEach(DeadLetter.Filter()) { letters.append($0) }
            return letters
        }
    }

    @Test("rejected events are kept byte for byte, and neither a list nor an export changes them")
    func keeps() async throws {
        let rejecting = try collector()
        let ids = try await reject(3, at: rejecting)
        let kept = try letters
        #expect(kept.map(\.eventID) == ids)
        for letter in kept {
            let isWhole = bodies.withLock { bodies in
                bodies.contains { $0.firstRange(of: letter.payload.dropLast()) != nil }
            }
            #expect(isWhole)
        }
        for words in [["list"], ["list", "--json"], ["export"]] { #expect(try await run(words) == .success) }
        #expect(try letters == kept)
        rejecting.stop()
    }

    @Test(
        "a file that is no database is said with status 1, and stays as it is", arguments: ["list", "export", "resend"])
    func noDatabase(action: String) async throws {
        directory.write("", to: "log-0.lock")
        directory.write(String(repeating: "no database ", count: 4000), to: "dead-letters.sqlite")
        #expect(try await run([action]) == .findings)
        #expect(
            try String(contentsOfFile: directory.file("dead-letters.sqlite"), encoding: .utf8).hasPrefix("no database"))
    }

    @Test(
        "words that cannot be used are said",
        arguments: [
            (["list"], "--state-dir DIR is required"), ([], "events needs ACTION"),
            (["drop", "--state-dir", "/tmp"], "ACTION is one of list, export, resend, not 'drop'"),
            (["list", "--state-dir", ""], "cannot open '': "),
            (["list", "--state-dir", "/nonexistent"], "cannot open /nonexistent: No such file or directory"),
            (["export", "--state-dir", "/tmp", "--json"], "--json is an option of list"),
            (["list", "--state-dir", "/tmp", "--reason", "paused"], "--reason takes one of storeFull, "),
        ])
    func usage(words: [String], message: String) async throws {
        let error = await #expect(throws: CommandFailure.self) { try await EventsCommand.command.run(words) }
        #expect(error?.reason.hasPrefix(message) == true, "\(error?.reason ?? "")")
    }
}
