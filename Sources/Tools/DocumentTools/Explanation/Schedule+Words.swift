package import TrackerConfig

extension Schedule {
    /// The bounds as a document writes them, in UTC.
    package var members: [JSONObject.Member] {
        [("start", start), ("end", end)].compactMap { name, bound in bound.map { (name, .string($0.text)) } }
    }

    /// The time in short words: `from 2026-12-01T00:00:00Z until 2027-01-01T00:00:00Z`.
    package var words: String {
        [("from", start), ("until", end)].compactMap { word, bound in bound.map { "\(word) \($0.text)" } }
            .joined(separator: " ")
    }

    /// Why it does not apply at a moment, in one or two words; nil if it does.
    package func state(at time: Instant) -> String? {
        switch phase(at: time) {
        case .ahead: "not begun"
        case .current: nil
        case .over: "over"
        }
    }
}
