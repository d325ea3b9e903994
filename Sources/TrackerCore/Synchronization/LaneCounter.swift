import Synchronization

/// A count to which threads add without meeting.
struct LaneCounter: ~Copyable, Sendable {
    /// A count with a cache line of its own, wherever the memory begins.
    private struct Slot: ~Copyable, Sendable {
        private let before = InlineArray<8, Int>(repeating: 0)
        let value = Atomic(0)
        private let after = InlineArray<7, Int>(repeating: 0)
    }

    private let slots = ThreadLane.Each<Slot> { _ in Slot() }

    /// The sum of what was added.
    var value: Int {
        var sum = 0
        for lane in slots.indices { sum += slots[lane].value.load(ordering: .relaxed) }
        return sum
    }

    /// Adds one.
    /// - Parameter lane: The lane of the calling thread.
    func increment(in lane: Int) {
        slots[lane].value.add(1, ordering: .relaxed)
    }
}
