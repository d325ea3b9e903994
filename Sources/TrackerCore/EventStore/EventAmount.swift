/// A number of events and the size of their rows in bytes.
package struct EventAmount: Sendable, Hashable {
    package var events: Int
    package var bytes: Int

    package static let zero = EventAmount(events: 0, bytes: 0)

    package init(events: Int, bytes: Int) {
        self.events = events
        self.bytes = bytes
    }

    package static func + (left: EventAmount, right: EventAmount) -> EventAmount {
        EventAmount(events: left.events + right.events, bytes: left.bytes + right.bytes)
    }

    /// The difference, never below zero.
    package static func - (left: EventAmount, right: EventAmount) -> EventAmount {
        EventAmount(events: max(0, left.events - right.events), bytes: max(0, left.bytes - right.bytes))
    }

    package static func += (left: inout EventAmount, right: EventAmount) { left = left + right }

    package static func -= (left: inout EventAmount, right: EventAmount) { left = left - right }

    /// Whether neither the number nor the size of the other amount is larger.
    package func covers(_ other: EventAmount) -> Bool {
        events >= other.events && bytes >= other.bytes
    }
}

extension EventAmount {
    /// The amount of one event.
    init(_ event: StoredEvent) {
        self.init(events: 1, bytes: event.payload.count)
    }
}
