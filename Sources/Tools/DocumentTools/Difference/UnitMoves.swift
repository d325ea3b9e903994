package import TrackerConfig

/// How many of an experiment's units get another variant when the experiment changes; not to be covered counts as one.
package struct UnitMoves: Sendable, Equatable {
    /// How the share was found.
    package enum Method: String, Sendable {
        /// Unit, seed and hash are the same: every bucket was looked at.
        case exact
        /// One of them differs: the old position of a unit does not determine the new one.
        case independent
    }

    /// What becomes of the variants that are stored for units.
    package enum Stickiness: String, Sendable {
        /// The experiment is sticky neither before nor after.
        case none
        /// It is sticky before and after: a unit keeps its stored variant if that still exists, whatever the share says.
        case kept
        /// It is no longer sticky: a unit whose stored variant is not the hash's moves besides.
        case ended
        /// It is sticky from now on: no variant is stored yet, so that the share holds for all units.
        case begun
        /// It is sticky before and after, but gives no variant from now on: what is stored stays.
        case unused
    }

    /// The share of the units, 0…1, that the hash gives another variant, of those that the filters let pass before and
    /// after.
    package let share: Double

    /// How the share was found.
    package let method: Method

    /// What becomes of the variants that are stored for units.
    package let stickiness: Stickiness

    /// Whether units with a stored variant keep it if it still exists, whatever the share says.
    package var keepsAssigned: Bool { stickiness == .kept }

    /// Whether the filters differ, so that units come or go besides.
    package let isAudienceOther: Bool

    /// Compares two states of an experiment.
    package init(from old: Experiment, to new: Experiment) {
        stickiness =
            switch (old.isSticky, new.isSticky) {
            case (false, false): .none
            case (true, true): new.isEnabled ? .kept : .unused
            case (true, false): .ended
            case (false, true): .begun
            }
        isAudienceOther = old.countries != new.countries || old.languages != new.languages
        let isSameHash =
            old.unit.isExactly(new.unit) && old.seed.isExactly(new.seed) && old.hashVersion == new.hashVersion
        if isSameHash {
            method = .exact
            let (before, after) = (old.variantsOfBuckets, new.variantsOfBuckets)
            let moved = zip(before, after).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
            share = Double(moved) / Double(before.count)
        } else {
            method = .independent
            let shares = new.shares
            share = old.shares.reduce(0) { $0 + $1.value * (1 - (shares[$1.key] ?? 0)) }
        }
    }
}

extension Experiment {
    /// The variant's name of each value that the hash can have; nil if no variant covers it.
    fileprivate var variantsOfBuckets: [String?] {
        guard let hashVersion else { return [nil] }
        let count = hashVersion == .v1 ? 1000 : 10_000
        return (0..<count).map { bucket in
            Bucketing.variantIndex(Double(bucket) / Double(count), in: ranges).map { variants[$0].name }
        }
    }

    /// The share of the units that each variant gets.
    fileprivate var shares: [String?: Double] {
        let names = variantsOfBuckets
        return Dictionary(grouping: names) { $0 }.mapValues { Double($0.count) / Double(names.count) }
    }
}
