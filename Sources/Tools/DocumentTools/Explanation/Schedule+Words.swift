package import TrackerFeatures

extension Schedule {
    /// The bounds in the form of a document, in UTC.
    package var members: [JSONObject.Member] {
        [("start", start), ("end", end)].compactMap { name, bound in bound.map { (name, .string($0.text)) } }
    }

    /// The schedule as a phrase: `from 2026-12-01T00:00:00Z until 2027-01-01T00:00:00Z`.
    package var words: String {
        [("from", start), ("until", end)].compactMap { word, bound in bound.map { "\(word) \($0.text)" } }
            .joined(separator: " ")
    }

    /// The reason why the schedule does not apply at a time, in one or two words; nil if it applies.
    package func state(at time: Instant) -> String? {
        switch phase(at: time) {
        case .ahead: "not begun"
        case .current: nil
        case .over: "over"
        }
    }
}
