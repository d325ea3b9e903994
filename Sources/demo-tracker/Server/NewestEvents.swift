/// A ring of events, in which the newest takes the place of the oldest.
struct NewestEvents: Sendable {
    private let capacity: Int
    private var ring: [ReceivedEvent] = []
    private var oldest = 0

    /// Keeps at most `capacity` events, at least one.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// All events, oldest first.
    var all: [ReceivedEvent] {
        Array(ring[oldest...] + ring[..<oldest])
    }

    /// Adds an event.
    mutating func append(_ event: ReceivedEvent) {
        if ring.count < capacity {
            ring.append(event)
        } else {
            ring[oldest] = event
            oldest = (oldest + 1) % capacity
        }
    }

    /// Forgets all events.
    mutating func removeAll() {
        ring = []
        oldest = 0
    }
}
