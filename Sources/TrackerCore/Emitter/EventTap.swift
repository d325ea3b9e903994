import Synchronization

/// Passes events to an observer as they are tracked, and later what became of them. Without an observer, each event costs
/// one atomic load.
package final class EventTap: Sendable {
    /// An event that was tracked.
    package struct ObservedEvent: Sendable {
        /// The namespace of its tracker.
        package let namespace: String
        /// The JSON object that will be sent.
        package let payload: [UInt8]
    }

    /// What became of an observed event.
    package struct Outcome: Sendable, Equatable {
        /// The event's id.
        package let id: String
        /// Why the event will never be sent; nil if the collector has taken it.
        package let reason: DropReason?
        /// What led to the drop, as a sentence; empty if that is unknown.
        package let detail: String
    }

    private struct Observation: Sendable {
        var events: [ObservedEvent] = []
        /// The ids of observed events whose outcome is unknown.
        var waiting: Set<String> = []
        /// The same ids, oldest first, with some whose outcome is known.
        var order: [String] = []
        var outcomes: [Outcome] = []

        mutating func wait(for id: String) {
            waiting.insert(id)
            order.append(id)
            guard order.count >= 2 * EventTap.maxWaiting else { return }
            order.removeAll { [waiting] in !waiting.contains($0) }
            let excess = order.count - EventTap.maxWaiting
            guard excess > 0 else { return }
            waiting.subtract(order.prefix(excess))
            order.removeFirst(excess)
        }
    }

    private static let closed = Int.min
    /// The most events whose outcome is waited for; between one and two times as many before the oldest are forgotten.
    static let maxWaiting = 2000

    /// The number of bytes that may still be taken; ``closed`` without an observer.
    private let room = Atomic<Int>(closed)
    private let missed = Atomic<Int>(0)
    private let observation = Locked(Observation())

    package init() {}

    /// Whether there is an observer.
    var isOpen: Bool { room.load(ordering: .relaxed) != Self.closed }

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
                let event = ObservedEvent(namespace: namespace, payload: Array(payload))
                let id = EventScan.value(of: "eid", in: event.payload)
                return observation.withLock { observation in
                    observation.events.append(event)
                    if let id { observation.wait(for: id) }
                }
            }
            seen = result.original
        }
        if seen != Self.closed { missed.add(1, ordering: .relaxed) }
    }

    /// Notes what became of events, of which those that were observed count.
    /// - Parameters:
    ///   - events: The events.
    ///   - reason: Why they will never be sent; nil if the collector has taken them.
    ///   - detail: What led to the drop, as a sentence.
    func settle(_ events: [StoredEvent], dropped reason: DropReason? = nil, detail: String = "") {
        guard isOpen else { return }
        let ids = events.compactMap { EventScan.value(of: "eid", in: $0.payload) }
        observation.withLock { observation in
            for id in ids where observation.waiting.remove(id) != nil {
                observation.outcomes.append(Outcome(id: id, reason: reason, detail: detail))
            }
        }
    }

    /// Takes what was seen, and makes room for more.
    /// - Parameter bytes: How much room, of events' JSON; the event that goes beyond is the last.
    /// - Returns: The events in the order in which they were seen, and how many there was no room for.
    package func take(makingRoom bytes: Int) -> (sightings: [ObservedEvent], missed: Int) {
        let taken = observation.exchange(\.events, [])
        room.store(bytes, ordering: .relaxed)
        return (taken, missed.exchange(0, ordering: .relaxed))
    }

    /// Takes what became of events that ``take(makingRoom:)`` has returned or will return, each once.
    ///
    /// The outcome of an event stays unknown if more than 2,000 newer ones wait.
    /// - Returns: The outcomes in their order.
    package func takeOutcomes() -> [Outcome] {
        observation.exchange(\.outcomes, [])
    }

    /// Stops the observation.
    package func close() {
        room.store(Self.closed, ordering: .relaxed)
        // An event that is being taken now stays in the list until the next observer comes.
        observation.exchange(Observation())
        missed.store(0, ordering: .relaxed)
    }
}
