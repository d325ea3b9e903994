/// Gives units to variants by a hash, so that a whole fleet agrees without talking.
///
/// The hashes are GrowthBook's (https://docs.growthbook.io/lib/build-your-own), to the bit, and so are the ranges: an
/// experiment that moves here from GrowthBook keeps its assignments.
package enum Bucketing {
    /// Where a value falls between 0 and 1.
    /// - Parameters:
    ///   - value: A unit's id.
    ///   - seed: The experiment's seed.
    ///   - version: The hash.
    /// - Returns: 0 or more and less than 1, in ``HashVersion/steps``.
    package static func fraction(of value: String, seed: String, version: HashVersion) -> Double {
        var hash = FNV1a32()
        switch version {
        case .v1:
            hash.combine(value)
            hash.combine(seed)
        case .v2:
            hash.combine(seed)
            hash.combine(value)
            let first = hash.value
            hash = FNV1a32()
            hash.combine(String(first))
        }
        return Double(hash.value % version.steps) / Double(version.steps)
    }

    /// The fractions that get each variant: from the sum of the shares before its own, as much as coverage leaves of its
    /// own.
    /// - Parameters:
    ///   - weights: The variants' weights. All are equal if none is given, else one that is missing, negative or NaN is 0.
    ///   - coverage: The share of each variant's units; a number outside 0…1 is clamped.
    ///   - sum: What the weights are shares of; their sum by default. GrowthBook divides weights that sum to 0.99…1.01 by
    ///     nothing, which is 1.
    /// - Returns: A range for each weight, in their order; all empty where all weights are zero.
    package static func ranges(weights: [Double?], coverage: Double, sum: Double? = nil) -> [Range<Double>] {
        let coverage = min(max(0, coverage), 1)
        let isGiven = weights.contains { $0 != nil }
        var shares = weights.map { isGiven ? min(max(0, $0 ?? 0), .greatestFiniteMagnitude) : 1 }
        // Of weights near the greatest number the sum is infinite.
        if !shares.reduce(0, +).isFinite, let largest = shares.max() { shares = shares.map { $0 / largest } }
        let sum = sum ?? shares.reduce(0, +)
        // Rounding must not move the bounds of weights that are shares already.
        let total = (sum - 1).magnitude < 1e-9 ? 1 : sum
        var start = 0.0
        return shares.map { share in
            let share = total > 0 ? share / total : 0
            defer { start += share }
            return start..<start + coverage * share
        }
    }

    /// Whether weights of a sum are used as they are, which is GrowthBook's rule.
    static func isWhole(_ sum: Double) -> Bool { (0.99...1.01).contains(sum) }

    /// The index of the first range that holds a fraction, nil if none does.
    package static func variantIndex(_ fraction: Double, in ranges: [Range<Double>]) -> Int? {
        ranges.firstIndex { $0.contains(fraction) }
    }
}
