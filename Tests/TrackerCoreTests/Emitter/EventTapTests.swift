import TestSupport
import Testing

@testable import TrackerCore

/// What somebody who looks is shown of events.
@Suite("EventTap", .endsWhenItHangs)
struct EventTapTests {
    private let tap = EventTap()

    private func offer(_ text: String, of namespace: String = "a") {
        Array(text.utf8).withUnsafeBytes { tap.offer($0, of: namespace) }
    }

    private func take(makingRoom bytes: Int = 1000) -> (texts: [String], missed: Int) {
        let (sightings, missed) = tap.take(makingRoom: bytes)
        return (sightings.map { "\($0.namespace) \(String(decoding: $0.payload, as: UTF8.self))" }, missed)
    }

    private func stored(_ text: String) -> StoredEvent {
        StoredEvent(id: 1, isAnonymous: false, payload: Array(text.utf8))
    }

    @Test("an id within a value is no event's id")
    func ids() {
        _ = take()
        let text = #"{"e":"ue","eid":"real","ue_pr":"{\"eid\":\"false\"}"}"#
        offer(text)
        offer(#"{"ue_pr":"{\"eid\":\"false\"}"}"#)
        tap.settle([stored(text), stored(#"{"ue_pr":"{\"eid\":\"false\"}"}"#), stored("{"), stored(#"{"eid":"#)])
        #expect(tap.takeOutcomes().map(\.id) == ["real"])
    }

    @Test("of events without an end, the newest are waited for")
    func bounded() {
        let last = 3 * EventTap.maxWaiting
        let texts = (0...last).map { #"{"eid":"\#($0)"}"# }
        _ = take(makingRoom: .max)
        for text in texts { offer(text) }
        tap.settle(texts.map(stored))
        let ids = tap.takeOutcomes().compactMap { Int($0.id) }
        #expect(ids.last == last)
        #expect(EventTap.maxWaiting <= ids.count && ids.count <= 2 * EventTap.maxWaiting)
    }

    @Test("of many threads each event is seen once or counted, each thread's in its order")
    func threads() async {
        let (writers, count) = (3, Search.count(300))
        _ = tap.take(makingRoom: 4096)
        let seen = Locked<(numbers: [[Int]], missed: Int)>((Array(repeating: [], count: writers), 0))
        @Sendable func look() {
            seen.withLock { seen in
                let (sightings, missed) = tap.take(makingRoom: 4096)
                seen.missed += missed
                for sighting in sightings {
                    guard let writer = Int(sighting.namespace) else { continue }
                    seen.numbers[writer].append(Int(String(decoding: sighting.payload, as: UTF8.self)) ?? -1)
                }
            }
        }
        await Threads.run(writers + 1) { worker in
            for number in 0..<count {
                if worker == writers { look() } else { offer("\(number)", of: "\(worker)") }
            }
        }
        look()
        let (numbers, missed) = seen.withLock { $0 }
        #expect(numbers.reduce(missed) { $0 + $1.count } == writers * count)
        for numbers in numbers { #expect(numbers == Array(Set(numbers)).sorted()) }
    }
}
