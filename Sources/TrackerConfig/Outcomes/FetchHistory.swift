import FoundationEssentials

/// What became of fetches and documents, with repetitions folded, and when the next fetch is due.
package struct FetchHistory: Sendable {
    private static let maxChanges = 50

    /// The newest first. The last of each kind is never removed.
    package private(set) var changes: [ConfigurationChange] = []

    /// The number of fetches, by the kind of their outcome.
    package private(set) var counts: [NamedCode<ConfigurationOutcome>: Int] = [:]

    /// The fetches that fail now, and when the first of them failed.
    private var outage: (fetches: FetchOutage, start: ClockReading)?

    /// What became of the document that the source serves; nil before the first, and if it is in use.
    package private(set) var pending: ConfigurationChange?

    /// The last document that was held back, also one whose reversion is the last change.
    package private(set) var lastHeld: ConfigurationChange?

    /// When the last fetch ended, in milliseconds since 1970.
    package private(set) var lastFetch: Int64?

    /// When the next fetch is due; nil if the setup does not poll.
    package var nextPoll: ClockReading?

    /// The fetches that fail now.
    /// - Parameter now: The clocks now; for how long they fail does not depend on how the wall clock was set since.
    /// - Returns: The outage; nil if there is none.
    package func outage(at now: ClockReading) -> FetchOutage? {
        outage.map { outage in
            var fetches = outage.fetches
            fetches.since = Date(milliseconds: outage.start.time(seenAt: now))
            return fetches
        }
    }

    /// The last change of a kind.
    package func last(_ kind: NamedCode<ConfigurationChange>) -> ConfigurationChange? {
        changes.first { $0.kind == kind }
    }

    /// Records the end of a fetch.
    /// - Parameters:
    ///   - outcome: The outcome of the fetch.
    ///   - moment: When it ended.
    mutating func add(_ outcome: ConfigurationOutcome, at moment: ClockReading) {
        counts[outcome.kind, default: 0] += 1
        let date = Date(milliseconds: moment.time)
        var change = ConfigurationChange(outcome, at: date, needsAttention: outcome.needsAttention)
        if outcome.isHeldAsReverted, isReverted(outcome.version) {
            // The reversion says it.
            if let pending, pending.kind == change.kind, pending.text == change.text {
                (change.firstTime, change.count) = (pending.firstTime, pending.count + 1)
            }
        } else {
            change = add(change)
        }
        if change.kind == .held { lastHeld = change }
        // A shutdown does not concern the source.
        guard outcome.fetchError?.code != .shutDown else { return }
        lastFetch = moment.time
        guard outcome.kind != .failed else {
            let fetches = FetchOutage(
                since: outage?.fetches.since ?? date, lastTime: date, tries: (outage?.fetches.tries ?? 0) + 1,
                text: outcome.description)
            outage = (fetches, outage?.start ?? moment)
            return
        }
        outage = nil
        let isInUse =
            outcome.kind == .applied || outcome.kind == .notModified
            || (outcome.kind == .unchanged && !outcome.isOtherContent)
        pending = isInUse ? nil : change
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
