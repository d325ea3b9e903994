import FoundationEssentials

/// What is kept about an override beside its value.
struct OverrideRecord: Sendable, Hashable {
    /// The time when the override was set; nil if its file does not say.
    let time: Date?

    /// Its author, reason and expiry.
    let details: OverrideDetails

    /// Whether the variable was a secret when the override was set: its value stays hidden if a later document drops
    /// the variable, and before there is a document at all.
    let isSecret: Bool

    init(time: Date?, details: OverrideDetails, isSecret: Bool) {
        (self.time, self.details, self.isSecret) = (time, details.bounded, isSecret)
    }

    /// Checks whether the override's time is over.
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: Whether it is.
    func isExpired(at now: Int64) -> Bool { details.expiry.map { $0.milliseconds <= now } ?? false }
}
