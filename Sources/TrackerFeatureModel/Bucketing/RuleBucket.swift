/// The share of units to which a rule applies.
///
/// A unit belongs to it if its fraction (a hash of its id and the seed) lies in the range, so a larger coverage keeps
/// all units of a smaller one. Rules with the same seed select the same units first.
package struct RuleBucket: Sendable, Hashable {
    /// The unit whose id is hashed; `userId` by default.
    package var unit: String

    /// The text that is hashed with the unit's id; the feature's name by default.
    package var seed: String

    /// The version of the hash; 2 by default. nil if this version of the SDK does not know it; then it selects no unit.
    package var hashVersion: HashVersion?

    /// The range of fractions whose units belong to the share.
    package var range: Range<Double>

    /// Creates a share.
    /// - Parameters:
    ///   - unit: The unit whose id is hashed; `userId` by default.
    ///   - seed: The text that is hashed with the unit's id.
    ///   - hashVersion: The version of the hash; 2 by default.
    ///   - range: The range of fractions whose units belong to the share.
    package init(unit: String = "userId", seed: String, hashVersion: HashVersion? = .v2, range: Range<Double>) {
        self.unit = unit
        self.seed = seed
        self.hashVersion = hashVersion
        self.range = range
    }

    /// Creates the share of a coverage.
    package init(unit: String = "userId", seed: String, hashVersion: HashVersion? = .v2, coverage: Double) {
        self.init(unit: unit, seed: seed, hashVersion: hashVersion, range: Self.range(coverage: coverage))
    }

    /// Returns the range of fractions from zero up to and including a coverage, as in GrowthBook.
    /// - Parameter coverage: The share, 0…1; a number outside is clamped. 0 selects no unit.
    /// - Returns: The range.
    package static func range(coverage: Double) -> Range<Double> {
        coverage > 0 ? 0..<min(coverage, 1).nextUp : 0..<0
    }

    /// Whether a unit belongs to the share.
    package func contains(_ unitID: String) -> Bool {
        guard let hashVersion else { return false }
        return range.contains(Bucketing.fraction(of: unitID, seed: seed, version: hashVersion))
    }
}
