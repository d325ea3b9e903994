/// An unsent event as a store holds it.
package struct StoredEvent: Sendable, Equatable {
    /// Its number within the store; a later event has a higher one.
    package let id: Int64

    /// Whether it was tracked under server anonymisation.
    package let isAnonymous: Bool

    /// The JSON object that will be sent.
    package let payload: [UInt8]
}

/// What a store reads for a pass: events, and rows that are damaged.
package struct StoredEvents: Sendable {
    package var events: [StoredEvent] = []

    /// Rows that failed their check, as far as they can be read; they are to be removed and counted.
    package var damaged: [StoredEvent] = []

    /// Whether the limit ended the reading and not the last row.
    package var isLimited = false
}
