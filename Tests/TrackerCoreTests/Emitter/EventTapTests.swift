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

    @Test("shows events from the first look on, each once, in their order")
    func order() {
        offer("unseen")
        #expect(take() == ([], 0))
        offer("1")
        offer("2", of: "b")
        #expect(take() == (["a 1", "b 2"], 0))
        #expect(take() == ([], 0))
    }

    @Test("the event that goes beyond the room is the last, and the others are counted")
    func room() {
        _ = take(makingRoom: 5)
        for text in ["1234", "56789", "x", "y"] { offer(text) }
        #expect(take(makingRoom: 5) == (["a 1234", "a 56789"], 2))
        offer("z")
        #expect(take(makingRoom: 0) == (["a z"], 0))
        offer("no room at all")
        #expect(take() == ([], 1))
    }

    @Test("once closed it forgets, and the next look begins anew")
    func closed() {
        _ = take(makingRoom: 1)
        let forgotten = #"{"eid":"1"}"#
        offer(forgotten)
        offer("missed")
        tap.settle([stored(forgotten)])
        tap.close()
        #expect(tap.takeOutcomes() == [])
        offer("unseen")
        #expect(take() == ([], 0))
        tap.settle([stored(forgotten)])
        #expect(tap.takeOutcomes() == [])
        offer("seen")
        #expect(take() == (["a seen"], 0))
    }

    private func stored(_ text: String) -> StoredEvent {
        StoredEvent(id: 1, isAnonymous: false, payload: Array(text.utf8))
    }

    @Test("tells what became of the events that were seen, each once")
    func outcomes() {
        let (first, second, third) = (#"{"e":"se","eid":"1"}"#, #"{"e":"se","eid":"2"}"#, #"{"e":"se","eid":"3"}"#)
        offer(first)
        tap.settle([stored(first)])
        #expect(tap.takeOutcomes() == [])
        _ = take()
        for text in [second, third] { offer(text) }
        tap.settle([stored(first), stored(second)])
        tap.settle([stored(third)], dropped: .rejected, detail: "the collector answered 400")
        tap.settle([stored(third)], dropped: .expired)
        #expect(
            tap.takeOutcomes() == [
                EventTap.Outcome(id: "2", reason: nil, detail: ""),
                EventTap.Outcome(id: "3", reason: .rejected, detail: "the collector answered 400"),
            ])
        #expect(tap.takeOutcomes() == [])
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

    @Test("closed while threads track, it stays closed")
    func closing() async {
        await Threads.run(3) { worker in
            for _ in 0..<Search.count(300) {
                if worker > 0 {
                    offer("event")
                } else {
                    _ = tap.take(makingRoom: 64)
                    tap.close()
                }
            }
        }
        tap.close()
        offer("unseen")
        #expect(take() == ([], 0))
    }
}
