/// The time in which a part of a document applies.
///
/// ```json
/// { "start": "2026-12-01T00:00:00+01:00", "end": "2027-01-01T00:00:00+01:00" }
/// ```
package struct Schedule: Sendable, Hashable {
    /// The first moment; nil if there is no start.
    package let start: Instant?

    /// The first moment after the schedule; nil if there is no end.
    package let end: Instant?

    /// Creates a schedule.
    /// - Parameters:
    ///   - start: The first moment; nil, the default, for no start.
    ///   - end: The first moment after the schedule; nil, the default, for no end.
    package init(start: Instant? = nil, end: Instant? = nil) {
        (self.start, self.end) = (start, end)
    }

    /// Whether the schedule contains a moment; false if the time is unknown.
    package func contains(_ time: Instant?) -> Bool { time.map(phase) == .current }

    /// The phase of a schedule.
    package enum Phase: Sendable {
        case ahead, current, over
    }

    /// The phase of the schedule at a moment.
    package func phase(at time: Instant) -> Phase {
        if let end, time >= end { return .over }
        return start.map { time < $0 } ?? false ? .ahead : .current
    }

    /// The first moment of the schedule, and the first one after it.
    package var bounds: [Instant] { [start, end].compactMap(\.self) }
}
