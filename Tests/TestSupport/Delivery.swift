package import TrackerCore

/// What became of events, of all that counters tell, to compare with.
package struct Delivery: Equatable {
    package var sent: Int
    package var stored: Int
    package var dropped: Int

    package init(sent: Int, stored: Int, dropped: Int = 0) {
        (self.sent, self.stored, self.dropped) = (sent, stored, dropped)
    }
}

extension TrackerCounters {
    package var delivery: Delivery { Delivery(sent: sent, stored: stored, dropped: dropped) }
}
