import TestSupport
import Testing

@testable import TrackerCore

/// What is kept once for each lane of threads.
@Suite("Lanes of threads")
struct ThreadLaneTests {
    private final class Value: Sendable {}

    @Test("a thread keeps its lane, and not all threads have the same")
    func lanes() async {
        let lanes = Locked<[Int]>([])
        await Threads.run(4 * ThreadLane.count) { _ in
            let lane = ThreadLane.own
            lanes.withLock { $0 += ThreadLane.own == lane ? [lane] : [] }
        }
        let found = lanes.withLock { $0 }
        #expect(found.count == 4 * ThreadLane.count)
        #expect(found.allSatisfy { 0..<ThreadLane.count ~= $0 })
        // Threads of other tests take lanes in between.
        #expect(Set(found).count > 1)
    }

    @Test("a count is the sum of what threads add, those that share a lane too")
    func counts() async {
        final class Owner: Sendable {
            let counter = LaneCounter()
        }
        let owner = Owner()
        await Threads.run(2 * ThreadLane.count) { thread in
            for _ in 0..<1000 { owner.counter.increment(in: thread % ThreadLane.count) }
        }
        #expect(owner.counter.value == 2000 * ThreadLane.count)
    }

    @Test("the references of all lanes are to one object, and keep it as long as one of them is used")
    func references() {
        weak var value: Value?
        var used: LaneReferences<Value>.Reference?
        do {
            var references = LaneReferences(Value())
            value = references.object
            #expect((0..<ThreadLane.count).allSatisfy { references[$0].object === value })
            used = references[ThreadLane.count - 1]
        }
        #expect(value != nil)
        withExtendedLifetime(used) {}
        used = nil
        #expect(value == nil)
    }
}
