import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What a handle's first read after a change costs the thread that reads.
@Suite("A handle's first read", .endsWhenItHangs)
struct HandleReleaseTests {
    /// What happens to labels: which were decoded, and whether they end within a read. Bound while a thread reads, because
    /// ids of threads are used again.
    private final class Journal: Sendable {
        @TaskLocal static var current: Journal?

        let decoded = Locked<[String]>([])
        let ends = AsyncStream<(text: String, isInRead: Bool)>.makeStream()
    }

    /// A type of the service's own with a deinit.
    private final class Label: Codable, Sendable {
        let text: String
        private let journal: Journal?

        init(_ text: String) { (self.text, journal) = (text, nil) }

        init(from decoder: any Decoder) throws {
            let text = try String(from: decoder)
            (self.text, journal) = (text, Journal.current)
            journal?.decoded.withLock { $0.append(text) }
        }

        func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

        deinit { journal?.ends.continuation.yield((text, Journal.current != nil)) }
    }

    private let shop = FeatureService()
    private let journal = Journal()

    /// Reads on a thread of its own.
    private func read(_ label: Variable<Label>) async -> String {
        await withCheckedContinuation { continuation in
            Thread { [journal] in
                let text = Journal.$current.withValue(journal) { label.value.text }
                continuation.resume(returning: text)
            }.start()
        }
    }

    @Test("it releases nothing: the former value ends on another thread, without another change")
    func release() async throws {
        shop.publish(1, #"{"f":{"variables":{"label":{"value":"one"}}}}"#)
        let setup = try await shop.start()
        let label = Variable(setup.features, "f", variable: "label", default: Label("default"))
        #expect(await read(label) == "one")
        try setup.features.overrides.set("two", for: "f", variable: "label")
        #expect(await read(label) == "two")
        for await end in journal.ends.stream {
            #expect(end.text == "one")
            #expect(!end.isInRead)
            break
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("a change of another variable does not decode the value again")
    func others() async throws {
        shop.publish(1, #"{"f":{"variables":{"label":{"value":"one"}}}}"#)
        let setup = try await shop.start()
        let label = Variable(setup.features, "f", variable: "label", default: Label("default"))
        let missing = Variable(setup.features, "f", variable: "missing", default: Label("default"))
        for number in 0..<3 {
            try setup.features.overrides.set(number, for: "f", variable: "other")
            #expect(await read(label) == "one")
            #expect(await read(missing) == "default")
        }
        #expect(journal.decoded.withLock { $0 } == ["one"])
        // The same text with other bytes is another value.
        try setup.features.overrides.set("caf\u{e9}", for: "f", variable: "label")
        #expect(await read(label).utf8.count == 5)
        try setup.features.overrides.set("cafe\u{301}", for: "f", variable: "label")
        #expect(await read(label).utf8.count == 6)
        await setup.shutdown(timeout: .zero)
    }
}
