import FoundationEssentials

/// What became of fetches and documents, with repetitions folded, and when the next fetch is due.
package struct FetchHistory: Sendable {
    private static let maxChanges = 50

    /// The newest first. The last of each kind is never removed.
    package private(set) var changes: [ConfigurationChange] = []

    /// The number of fetches, by the kind of their outcome.
    package private(set) var counts: [NamedCode<ConfigurationOutcome>: Int] = [:]

    /// The fetches that fail now, folded into one change; nil if the last one did not fail.
    package private(set) var outage: ConfigurationChange?

    /// What became of the document that the source serves; nil before the first, and if it is in use.
    package private(set) var pending: ConfigurationChange?

    /// The last outcome; if it is repeated, that is not news.
    var last: ConfigurationOutcome?

    /// When the last fetch ended, in milliseconds since 1970.
    package private(set) var lastFetch: Int64?

    /// When the next fetch is due, in milliseconds since 1970; nil if the setup does not poll.
    package var nextPoll: Int64?

    /// Records the end of a fetch.
    /// - Parameters:
    ///   - outcome: The outcome of the fetch.
    ///   - time: When it ended, in milliseconds since 1970.
    /// - Returns: Whether it is news: another outcome than the last one, and none that was seen since the version in use
    ///   was applied. So replicas that serve two documents in turn are news once; each series of failures is.
    mutating func add(_ outcome: ConfigurationOutcome, at time: Int64) -> Bool {
        counts[outcome.kind, default: 0] += 1
        let isRepeated = outcome == last
        last = outcome
        let date = Date(milliseconds: time)
        var change = ConfigurationChange(outcome, at: date)
        if outcome.isHeldAsReverted, isReverted(outcome.version) {
            // The reversion says it.
            if let pending, pending.kind == change.kind, pending.text == change.text {
                (change.firstTime, change.count) = (pending.firstTime, pending.count + 1)
            }
        } else {
            change = add(change)
        }
        // A shutdown does not concern the source.
        guard outcome.fetchError?.code != .shutDown else { return !isRepeated }
        lastFetch = time
        guard outcome.kind != .failed else {
            change.firstTime = outage?.firstTime ?? date
            change.count = (outage?.count ?? 0) + 1
            outage = change
            return !isRepeated
        }
        outage = nil
        let isInUse =
            outcome.kind == .applied || outcome.kind == .notModified
            || (outcome.kind == .unchanged && !outcome.isOtherContent)
        pending = isInUse ? nil : change
        return !isRepeated && change.count == 1
    }

    /// Whether the configuration in use is what a version was rolled back to.
    private func isReverted(_ version: Int?) -> Bool {
        let last = changes.first { $0.isOfVersionInUse }
        return last?.kind == .reverted && last?.version == version
    }

    /// Records a change; one that repeats an earlier one since the last version was applied or reverted is folded into it.
    /// - Returns: The change, with its repetitions.
    @discardableResult
    mutating func add(_ change: ConfigurationChange) -> ConfigurationChange {
        var change = change
        let repeated = changes.prefix { !$0.isOfVersionInUse }.firstIndex {
            $0.kind == change.kind && $0.text == change.text && !change.isOfVersionInUse
        }
        if let repeated {
            let earlier = changes.remove(at: repeated)
            (change.firstTime, change.count) = (earlier.firstTime, earlier.count + change.count)
        }
        changes.insert(change, at: 0)
        if changes.count > Self.maxChanges, let place = oldestRepeatedKind { changes.remove(at: place) }
        return change
    }

    /// The oldest change that is not the last of its kind.
    private var oldestRepeatedKind: Int? {
        changes.indices.last { place in changes[..<place].contains { $0.kind == changes[place].kind } }
    }
}

extension ConfigurationChange {
    /// Whether it applied another version.
    fileprivate var isOfVersionInUse: Bool { kind == .applied || kind == .reverted }
}
