import Synchronization

/// Passes tracked events to an observer, and later their outcomes. Without an observer, each event costs one atomic
/// load.
package final class EventTap: Sendable {
    /// An event that was tracked.
    package struct ObservedEvent: Sendable {
        /// The namespace of its tracker.
        package let namespace: String
        /// The JSON object that will be sent.
        package let payload: [UInt8]
    }

    /// The outcome of an observed event.
    package struct Outcome: Sendable, Equatable {
        /// The event's id.
        package let id: String
        /// The reason why the event will never be sent; nil if the collector has taken it.
        package let reason: DropReason?
        /// The circumstances of the drop, as a sentence; empty if they are unknown.
        package let detail: String
    }

    private struct Observation: Sendable {
        /// The number of bytes that still fit.
        var room = 0
        var events: [ObservedEvent] = []
        /// The number of events that did not fit.
        var missed = 0
        /// The ids of observed events with an unknown outcome, with the numbers of the events.
        var waiting: [String: Int] = [:]
        var last = 0
        var outcomes: [Outcome] = []
    }

    /// The number of kept events with an unknown outcome; the oldest are removed before there are twice as many.
    static let maxWaiting = 2000

    /// Whether there is an observer; changed only while the lock is held.
    private let isObserved = Atomic(false)
    private let observation = Locked(Observation())

    package init() {}

    /// Whether there is an observer.
    var isOpen: Bool { isObserved.load(ordering: .relaxed) }

    /// Takes an event if there is an observer and the event fits.
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

    /// Notes the outcome of events; ignores events that were not observed.
    /// - Parameters:
    ///   - events: The events.
    ///   - reason: The reason why they will never be sent; nil if the collector has taken them.
    ///   - detail: The circumstances of the drop, as a sentence.
    func settle(_ events: [StoredEvent], dropped reason: DropReason? = nil, detail: String = "") {
        guard isOpen else { return }
        let ids = events.compactMap { EventScan.value(of: "eid", in: $0.payload) }
        observation.withLock { observation in
            for id in ids where observation.waiting.removeValue(forKey: id) != nil {
                observation.outcomes.append(Outcome(id: id, reason: reason, detail: detail))
            }
        }
    }

    /// Returns the observed events, and makes room for more.
    /// - Parameter bytes: The room in bytes of the events' JSON; the event that exceeds it is the last.
    /// - Returns: The events in the order of observation, and the number of events that did not fit.
    package func take(makingRoom bytes: Int) -> (sightings: [ObservedEvent], missed: Int) {
        observation.withLock { observation in
            isObserved.store(true, ordering: .relaxed)
            defer { (observation.room, observation.events, observation.missed) = (bytes, [], 0) }
            return (observation.events, observation.missed)
        }
    }

    /// Returns the outcomes of events that ``take(makingRoom:)`` has returned or will return, each once.
    ///
    /// The outcome of an event stays unknown if more than 2,000 newer events wait.
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
