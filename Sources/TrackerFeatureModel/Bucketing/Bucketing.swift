/// Assigns units to variants by a hash, so that a whole fleet agrees without communication.
///
/// The hashes and the ranges are exactly those of GrowthBook (https://docs.growthbook.io/lib/build-your-own), so that
/// an experiment that moves here from GrowthBook keeps its assignments.
package enum Bucketing {
    /// Returns the hash of a value as a fraction.
    /// - Parameters:
    ///   - value: A unit's id.
    ///   - seed: The experiment's seed.
    ///   - version: The hash.
    /// - Returns: A fraction in 0 ..< 1, one of ``HashVersion/steps`` values.
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

    /// Returns the range of fractions for each variant: it starts at the sum of the shares before its own, and its
    /// length is its share times the coverage.
    /// - Parameters:
    ///   - weights: The variants' weights. A missing, negative or NaN weight is 0; if none is given, all are equal.
    ///   - coverage: The share of each variant's units; a number outside 0…1 is clamped.
    ///   - sum: The divisor of the weights; their sum by default. GrowthBook uses weights that sum to 0.99…1.01 as they
    ///     are, so its divisor is 1.
    /// - Returns: A range for each weight, in their order; all empty if all weights are zero.
    package static func ranges(weights: [Double?], coverage: Double, sum: Double? = nil) -> [Range<Double>] {
        let coverage = min(max(0, coverage), 1)
        let isGiven = weights.contains { $0 != nil }
        var shares = weights.map { isGiven ? min(max(0, $0 ?? 0), .greatestFiniteMagnitude) : 1 }
        // The sum of weights near the greatest number is infinite.
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

    /// The index of the first range that contains a fraction; nil if none does.
    package static func variantIndex(_ fraction: Double, in ranges: [Range<Double>]) -> Int? {
        ranges.firstIndex { $0.contains(fraction) }
    }
}
