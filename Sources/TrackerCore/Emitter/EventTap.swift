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
        /// The number of bytes that may still be taken.
        var room = 0
        var events: [ObservedEvent] = []
        /// The number of events for which there was no room.
        var missed = 0
        /// The ids of observed events whose outcome is unknown, with the numbers of the events.
        var waiting: [String: Int] = [:]
        var last = 0
        var outcomes: [Outcome] = []
    }

    /// The most events whose outcome is waited for; between one and two times as many before the oldest are forgotten.
    static let maxWaiting = 2000

    /// Whether there is an observer; changed in the lock.
    private let isObserved = Atomic(false)
    private let observation = Locked(Observation())

    package init() {}

    /// Whether there is an observer.
    var isOpen: Bool { isObserved.load(ordering: .relaxed) }

    /// Takes an event, if there is an observer and there is room.
    @inline(__always)
    func offer(_ payload: UnsafeRawBufferPointer, of namespace: String) {
        if isOpen { take(payload, of: namespace) }
    }

    @inline(never)
    private func take(_ payload: UnsafeRawBufferPointer, of namespace: String) {
        observation.withLock { observation in
            guard isOpen else { return }
            guard observation.room > 0 else { return observation.missed += 1 }
            let event = ObservedEvent(namespace: namespace, payload: Array(payload))
            observation.room -= payload.count
            observation.events.append(event)
            guard let id = EventScan.value(of: "eid", in: event.payload) else { return }
            observation.last += 1
            observation.waiting[id] = observation.last
            guard observation.waiting.count >= 2 * Self.maxWaiting else { return }
            let forgotten = observation.last - Self.maxWaiting
            observation.waiting = observation.waiting.filter { $0.value > forgotten }
        }
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
            for id in ids where observation.waiting.removeValue(forKey: id) != nil {
                observation.outcomes.append(Outcome(id: id, reason: reason, detail: detail))
            }
        }
    }

    /// Takes what was seen, and makes room for more.
    /// - Parameter bytes: How much room, of events' JSON; the event that goes beyond is the last.
    /// - Returns: The events in the order in which they were seen, and how many there was no room for.
    package func take(makingRoom bytes: Int) -> (sightings: [ObservedEvent], missed: Int) {
        observation.withLock { observation in
            isObserved.store(true, ordering: .relaxed)
            defer { (observation.room, observation.events, observation.missed) = (bytes, [], 0) }
            return (observation.events, observation.missed)
        }
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
        observation.withLock { observation in
            isObserved.store(false, ordering: .relaxed)
            observation = Observation()
        }
    }
}
