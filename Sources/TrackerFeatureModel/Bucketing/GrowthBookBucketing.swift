/// The functions of GrowthBook's SDKs that give units to variations, with their treatment of unusable values.
package enum GrowthBookBucketing {
    /// The range between two numbers, empty if they are out of order.
    package static func range(_ start: Double, _ end: Double) -> Range<Double> {
        start < end ? start..<end : start.isNaN ? 0..<0 : start..<start
    }

    /// The weights of variations without weights of their own; none for a count below 1.
    package static func equalWeights(_ count: Int) -> [Double] {
        count < 1 ? [] : Array(repeating: 1 / Double(count), count: count)
    }

    /// The fractions that get each variation, GrowthBook's `getBucketRanges`.
    /// - Parameters:
    ///   - count: The number of variations.
    ///   - coverage: The part of each variation's units that takes part; below 0 is 0, above 1 is 1.
    ///   - weights: The variations' weights. All are equal if it is nil, has another count, or doesn't sum to 0.99…1.01.
    /// - Returns: A range for each variation; empty for a negative weight.
    package static func ranges(count: Int, coverage: Double = 1, weights: [Double]? = nil) -> [Range<Double>] {
        let coverage = min(max(coverage, 0), 1)
        var shares = weights ?? equalWeights(count)
        if shares.count != max(count, 0) || !Bucketing.isWhole(shares.reduce(0, +)) { shares = equalWeights(count) }
        var start = 0.0
        return shares.map { share in
            defer { start += share }
            return range(start, start + coverage * share)
        }
    }

    /// The index of the first range that holds a number, -1 if there is none.
    package static func chooseVariation(_ number: Double, _ ranges: [Range<Double>]) -> Int {
        Bucketing.variantIndex(number, in: ranges) ?? -1
    }

    /// Whether a unit is in a part of a namespace.
    package static func inNamespace(_ unitID: String, _ id: String, _ from: Double, _ to: Double) -> Bool {
        BucketFilter.namespace(id, from, to).contains(unitID)
    }
}
