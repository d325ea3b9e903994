/// The time in which a part of a document applies.
///
/// ```json
/// { "start": "2026-12-01T00:00:00+01:00", "end": "2027-01-01T00:00:00+01:00" }
/// ```
package struct Schedule: Sendable, Hashable {
    /// The first moment; nil if it has begun already.
    package let start: Instant?

    /// The first moment that no longer belongs to it; nil if it does not end.
    package let end: Instant?

    /// Creates a schedule.
    /// - Parameters:
    ///   - start: The first moment; nil, the default, if it has begun already.
    ///   - end: The first moment that no longer belongs to it; nil, the default, if it does not end.
    package init(start: Instant? = nil, end: Instant? = nil) {
        (self.start, self.end) = (start, end)
    }

    /// Whether a moment belongs to it; false if the time is not known.
    package func contains(_ time: Instant?) -> Bool { time.map(phase) == .current }

    /// Where a schedule stands.
    package enum Phase: Sendable {
        case ahead, current, over
    }

    /// Where the schedule stands at a moment.
    package func phase(at time: Instant) -> Phase {
        if let end, time >= end { return .over }
        return start.map { time < $0 } ?? false ? .ahead : .current
    }

    /// Its first moment, and the first one after it.
    package var bounds: [Instant] { [start, end].compactMap(\.self) }
}
