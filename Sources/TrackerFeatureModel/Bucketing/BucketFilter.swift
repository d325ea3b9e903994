/// A filter for the units whose hash is in some ranges, for experiments that exclude each other.
package struct BucketFilter: Sendable, Hashable {
    /// The unit whose id is hashed; nil for the unit of the rule or experiment.
    package var unit: String?

    /// The text that is hashed with the unit's id. Filters with the same seed and ranges that do not overlap never pass
    /// the same unit.
    package let seed: String

    /// The version of the hash; nil if this version of the SDK does not know the document's; then no unit passes.
    package var hashVersion: HashVersion?

    /// The ranges within 0…1 that pass.
    package let ranges: [Range<Double>]

    /// Creates a filter.
    /// - Parameters:
    ///   - unit: The unit whose id is hashed; by default the unit of the rule or experiment.
    ///   - seed: The text that is hashed with the unit's id.
    ///   - hashVersion: The version of the hash; 2 by default.
    ///   - ranges: The ranges within 0…1 that pass, each without its end.
    package init(unit: String? = nil, seed: String, hashVersion: HashVersion? = .v2, ranges: [Range<Double>]) {
        self.unit = unit
        self.seed = seed
        self.hashVersion = hashVersion
        self.ranges = ranges
    }

    /// Returns the filter of a GrowthBook namespace: the units in a range within 0…1, by the first hash.
    /// - Parameters:
    ///   - id: The namespace's id.
    ///   - from: The start of the range.
    ///   - to: The exclusive end of the range. No unit passes if it is not above the start.
    /// - Returns: The filter.
    package static func namespace(_ id: String, _ from: Double, _ to: Double) -> BucketFilter {
        BucketFilter(seed: "__" + id, hashVersion: .v1, ranges: [from..<max(from, to)])
    }

    /// The filter with a unit, unless it names one itself.
    package func of(_ unit: String) -> BucketFilter {
        var filter = self
        filter.unit = self.unit ?? unit
        return filter
    }

    /// Whether a unit passes.
    /// - Parameter unitID: The unit's id.
    /// - Returns: Whether its fraction is in a range.
    package func contains(_ unitID: String) -> Bool {
        guard let hashVersion else { return false }
        let fraction = Bucketing.fraction(of: unitID, seed: seed, version: hashVersion)
        return ranges.contains { $0.contains(fraction) }
    }
}
