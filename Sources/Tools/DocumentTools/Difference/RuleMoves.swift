package import TrackerConfig

/// How many units get something else of a feature when its rules or its values for all others change.
package struct RuleMoves: Sendable, Equatable {
    private static let maxComparisons = 10_000_000

    /// How the shares were found.
    package enum Method: String, Sendable {
        /// All rules hash one unit with one seed, or none: every bucket was looked at.
        case exact
        /// Rules hash several units or seeds: the shares are products.
        case independent
        /// The documents alone do not show it; see ``RuleMoves/obstacle``.
        case unknown
    }

    /// Why the shares are not known.
    package enum Obstacle: String, Sendable {
        /// Experiments decide too.
        case experiments
        /// A feature that a prerequisite names changes as well.
        case prerequisites
        /// The default document has rules for the feature below these.
        case `default`
        /// There are too many conditions, seeds or rules to try all cases.
        case size
    }

    /// A value that units get.
    package struct Outcome: Sendable, Hashable {
        /// The variable's name; nil for whether the feature is enabled.
        package let variable: String?
        /// The value; nil if it is the caller's default.
        package let value: JSONValue?
    }

    /// The share of the units, 0…1, for which whether the feature is enabled or a variable differs, of those for which no
    /// condition and no prerequisite holds: of all units if there is none. Nil if it is not known.
    package let share: Double?

    /// The least and the greatest share over all cases in which some conditions or prerequisites hold; nil if there are
    /// none, or if it is not known.
    package let matchingShares: ClosedRange<Double>?

    /// What all units get that get something else, that the feature is enabled or not before a variable; nil if they have
    /// nothing in common.
    package let outcome: Outcome?

    /// Whether all rules hash the user, or none hashes a unit.
    package let isOfUsers: Bool

    /// How the shares were found.
    package let method: Method

    /// Why the shares are not known; nil if they are.
    package let obstacle: Obstacle?

    private init(obstacle: Obstacle) {
        self.init(shares: [], method: .unknown, obstacle: obstacle)
    }

    // The first share is of the case in which no condition and no prerequisite holds.
    private init(
        shares: [Double], _ outcome: Outcome? = nil, isOfUsers: Bool = false, method: Method, obstacle: Obstacle? = nil
    ) {
        share = shares.first
        (self.outcome, self.isOfUsers) = (outcome, isOfUsers)
        let others = shares.dropFirst()
        matchingShares = others.min().flatMap { least in others.max().map { least...$0 } }
        (self.method, self.obstacle) = (method, obstacle)
    }

    /// Compares two states of a feature.
    /// - Parameters:
    ///   - old: The feature before.
    ///   - new: The feature after.
    ///   - surroundings: What else decides.
    package init(from old: FeatureDefinition, to new: FeatureDefinition, in surroundings: RuleSurroundings) {
        let rules = (old.rules + new.rules).filter(\.isUsable)
        if let obstacle = surroundings.obstacle(of: new.name, rules) {
            self.init(obstacle: obstacle)
            return
        }
        let criteria = Set(rules.flatMap(\.criteria))
        guard criteria.count <= 6, let cells = BucketCell.cells(of: rules) else {
            self.init(obstacle: .size)
            return
        }
        let bits = Dictionary(uniqueKeysWithValues: criteria.enumerated().map { ($1, 1 << $0) })
        let below = surroundings.default[exactly: new.name]
        let (before, after) = (RuleModel(old, below: below, bits), RuleModel(new, below: below, bits))
        let keys = before.keys.union(after.keys)
        let comparisons = rules.reduce(keys.count) { $0 + $1.comparisonCount + keys.count }
        guard cells.count << criteria.count * comparisons <= Self.maxComparisons else {
            self.init(obstacle: .size)
            return
        }
        // What all that get something else get in common.
        var outcomes: Set<Outcome>?
        // Each bit of the number says whether a criterion holds.
        let shares = (0..<1 << criteria.count).map { met -> Double in
            cells.reduce(0) { sum, cell in
                let (old, new) = (before.outcome(keys, met, cell), after.outcome(keys, met, cell))
                guard old != new else { return sum }
                if outcomes?.isEmpty != true {
                    let own = keys.filter { old[$0] != new[$0] }.map { Outcome(variable: $0?.text, value: new[$0]) }
                    outcomes = outcomes?.intersection(own) ?? Set(own)
                }
                return sum + cell.share
            }
        }.map { ($0 * 1e9).rounded() / 1e9 }
        let sources = Set(rules.flatMap(\.sources))
        self.init(
            shares: shares, outcomes?.min { ($0.variable ?? "") < ($1.variable ?? "") },
            isOfUsers: sources.allSatisfy { $0.unit.isExactly("userId") },
            method: sources.count > 1 ? .independent : .exact)
    }
}
