import Synchronization

/// A count to which threads add without meeting.
struct LaneCounter: ~Copyable, Sendable {
    /// A count with a cache line of its own, wherever the memory begins.
    private struct Slot: ~Copyable, Sendable {
        private let before = InlineArray<8, Int>(repeating: 0)
        let value = Atomic(0)
        private let after = InlineArray<7, Int>(repeating: 0)
    }

    private typealias Place = UnsafeMutablePointer<Slot>

    // Made when they are first used: most namespaces of many are used by few threads.
    nonisolated(unsafe) private let slots = ThreadLane.Each<Atomic<Place?>> { _ in Atomic(nil) }

    deinit {
        for lane in slots.indices {
            guard let slot = slots[lane].load(ordering: .acquiring) else { continue }
            slot.deinitialize(count: 1)
            slot.deallocate()
        }
    }

    /// The sum of all added numbers.
    var value: Int {
        var sum = 0
        for lane in slots.indices {
            sum += slots[lane].load(ordering: .acquiring)?.pointee.value.load(ordering: .relaxed) ?? 0
        }
        return sum
    }

    /// Adds one.
    /// - Parameter lane: The lane of the calling thread.
    func increment(in lane: Int) {
        let slot = slots[lane].load(ordering: .acquiring) ?? makeSlot(of: lane)
        slot.pointee.value.add(1, ordering: .relaxed)
    }

    private func makeSlot(of lane: Int) -> Place {
        let new = Place.allocate(capacity: 1)
        new.initialize(to: Slot())
        let (_, other) = slots[lane].compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let other else { return new }
        // Another thread of the lane was faster.
        new.deinitialize(count: 1)
        new.deallocate()
        return other
    }
}
