import Synchronization

/// Passes events to an observer as they are tracked. Without one, each event costs one atomic load.
package final class EventTap: Sendable {
    /// An event that was tracked.
    package struct ObservedEvent: Sendable {
        /// The namespace of its tracker.
        package let namespace: String
        /// The JSON object that will be sent.
        package let payload: [UInt8]
    }

    private static let closed = Int.min

    /// The number of bytes that may still be taken; ``closed`` without an observer.
    private let room = Atomic<Int>(closed)
    private let missed = Atomic<Int>(0)
    private let sightings = Locked<[ObservedEvent]>([])

    package init() {}

    /// Takes an event, if there is an observer and there is room.
    @inline(__always)
    func offer(_ payload: UnsafeRawBufferPointer, of namespace: String) {
        let room = room.load(ordering: .relaxed)
        if room != Self.closed { take(payload, of: namespace, room) }
    }

    @inline(never)
    private func take(_ payload: UnsafeRawBufferPointer, of namespace: String, _ seen: Int) {
        var seen = seen
        // Room that was closed in the meantime stays closed.
        while seen > 0 {
            let result = room.weakCompareExchange(
                expected: seen, desired: max(seen - payload.count, 0), ordering: .relaxed)
            if result.exchanged {
                let sighting = ObservedEvent(namespace: namespace, payload: Array(payload))
                return sightings.withLock { $0.append(sighting) }
            }
            seen = result.original
        }
        if seen != Self.closed { missed.add(1, ordering: .relaxed) }
    }

    /// Takes what was seen, and makes room for more.
    /// - Parameter bytes: How much room, of events' JSON; the event that goes beyond is the last.
    /// - Returns: The events in the order in which they were seen, and how many there was no room for.
    package func take(makingRoom bytes: Int) -> (sightings: [ObservedEvent], missed: Int) {
        let taken = sightings.exchange([])
        room.store(bytes, ordering: .relaxed)
        return (taken, missed.exchange(0, ordering: .relaxed))
    }

    /// Ends the observation.
    package func close() {
        room.store(Self.closed, ordering: .relaxed)
        // An event that is being taken now stays in the list until the next observer comes.
        sightings.exchange([])
        missed.store(0, ordering: .relaxed)
    }
}
