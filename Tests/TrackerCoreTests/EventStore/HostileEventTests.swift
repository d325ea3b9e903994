import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

/// An event with a parameter that the tracker sets too.
private struct DoubledEvent: Event {
    let action: String

    var content: EventContent {
        let parameters = [("se_ca", "c"), ("se_ac", action), ("tna", "other"), ("eid", "mine")]
        return .parameters(.structured, parameters.map { EventParameter(name: $0.0, value: $0.1) })
    }
}

@Suite("events that a document reader refuses", .endsWhenItHangs)
struct HostileEventTests {
    private let directory = TemporaryDirectory()
    /// More combining marks in a row than a document may have.
    private static let marks = "a" + String(repeating: "\u{301}", count: 129)

    private func track(in tracker: Tracker) {
        tracker.track(Structured(category: "c", action: "1"))
        tracker.track(Structured(category: "c", action: "2", label: Self.marks))
        tracker.track(DoubledEvent(action: "3"))
        tracker.track(Structured(category: "c", action: "4", label: "\"tna\":\"other\", \\ \u{1} \u{1F600}"))
    }

    @Test("they are sent by the next process after a kill", arguments: [NetworkConfiguration.Method.post, .get])
    func outliveKill(method: NetworkConfiguration.Method) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        var copy: TemporaryDirectory?
        try await rig.pipeline.holdingStore {
            track(in: tracker)
            copy = try StoreFiles(directory: directory).copy()
        }
        let killed = try #require(copy)
        defer { withExtendedLifetime(killed) {} }
        let next = Rig(stateDirectory: killed.path, seed: 9)
        let heir = try await next.tracker()
        try heir.network.set(\.method, to: method)
        await next.pipeline.maintain()
        await heir.flush(timeout: .seconds(60))
        #expect(heir.counters.sent == 4)
        #expect(heir.counters.droppedByReason == [:])
        let sent = next.transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) + $0.url }.joined()
        let names =
            method == .post ? ["\"se_ac\":\"", "\"se_la\":\"\(Self.marks)"] : ["se_ac=", "se_la=a%CC%81%CC%81"]
        for action in 1...4 { #expect(sent.contains("\(names[0])\(action)")) }
        #expect(sent.contains(names[1]))
    }

    @Test("they are passed to onDrop and kept as dead letters")
    func areDropped() async throws {
        let rig = Rig(
            directory: StateDirectory(path: directory.path, service: "tests"), deadLetters: .file(), seed: 1)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403)) }
        let tracker = try await rig.tracker()
        let dropped = Locked<[DroppedEvent]>([])
        tracker.onDrop { events, _ in dropped.withLock { $0 += events } }
        track(in: tracker)
        await tracker.flush(timeout: .seconds(60))
        await rig.pipeline.shutdown(timeout: .seconds(10))
        let actions = dropped.withLock { $0.compactMap { $0.payload["se_ac"]?.string } }
        try #require(actions == ["1", "2", "3", "4"])
        #expect(dropped.withLock { $0[1].payload["se_la"]?.string } == Self.marks)
        #expect(dropped.withLock { $0[3].payload["se_la"]?.string } == "\"tna\":\"other\", \\ \u{1} \u{1F600}")
        var letters: [DeadLetter] = []
        try DeadLetterStore.existing(in: directory.path)?.forEach(DeadLetter.Filter()) { letters.append($0) }
        #expect(letters.count == 4)
        #expect(letters.allSatisfy { $0.eventID.flatMap(UUID.init(uuidString:)) != nil })
    }
}
