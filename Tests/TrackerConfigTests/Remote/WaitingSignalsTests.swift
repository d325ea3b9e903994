import TestSupport
import Testing

@testable import TrackerConfig

@Suite("Signals that wait for their reader", .endsWhenItHangs)
struct WaitingSignalsTests {
    private static func wait(_ signals: [SourceSignal]) -> [SourceSignal] {
        var waiting = WaitingSignals()
        for signal in signals { waiting.add(signal) }
        var read: [SourceSignal] = []
        while let next = waiting.removeFirst() { read.append(next) }
        return read
    }

    private static func change(_ message: String) -> SourceSignal { SourceSignal(json: Array(message.utf8)) }

    @Test("one of each kind waits, in the order in which they count")
    func order() {
        let signals: [SourceSignal] = [
            .connected, .changed(version: 2), .document(FetchedDocument([1])), .changed(version: 3),
            .disconnected(FetchError(.timeout, reason: "late")),
        ]
        let read = Self.wait(signals)
        #expect(read.map(\.kind) == [.connected, .document, .changed, .disconnected])
        #expect((read[1].document?.bytes, read[2].version, read[3].failure?.code) == ([1], 3, .timeout))
        #expect(Self.wait([]).isEmpty)
    }

    @Test(
        "of two changes the higher version counts, whichever came first, and of two without one neither's",
        arguments: [
            (#"{"version": 3, "etag": "a"}"#, #"{"version": 2, "etag": "b"}"#, 3, "a"),
            (#"{"version": 3, "etag": "a"}"#, "{}", nil, nil), ("{}", #"{"version": 3, "etag": "b"}"#, nil, nil),
        ] as [(String, String, Int?, String?)])
    func changes(first: String, second: String, version: Int?, tag: String?) {
        let read = Self.wait([Self.change(first), Self.change(second)])
        #expect(read.map(\.kind) == [.changed])
        #expect((read.first?.version, read.first?.entityTag) == (version, tag))
    }

    @Test("what replaces another signal before it was read keeps what the other asked for")
    func replacements() {
        // Two changes wake all instances, however few each is for, and what could not be read stays counted.
        let text = #"{"version": 3, "spread": 5, "rollout": {"percent": 1, "seed": "s"}}"#
        #expect(Self.wait([Self.change(text)]).first?.rolloutPercent == 1)
        let changes = Self.wait([Self.change(#"{"subscribers": "x", "version": 2}"#), Self.change(text)])
        #expect((changes.first?.rolloutPercent, changes.first?.spread) == (nil, .seconds(5)))
        #expect(changes.first?.failure?.code == .stream)
        // A document that another one replaces leads to a fetch.
        let documents = Self.wait([.document(FetchedDocument([2])), .document(FetchedDocument([1]))])
        #expect(documents.map(\.kind) == [.document, .changed])
        #expect((documents.first?.document?.bytes, documents.last?.version) == ([1], nil))
    }
}
