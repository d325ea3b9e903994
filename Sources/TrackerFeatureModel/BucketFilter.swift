/// A share of the units that may take part, whatever else is asked of them.
public struct BucketFilter: Sendable, Hashable {
    /// Which of a context's ids is hashed; nil for that of the rule or experiment.
    public let unit: String?

    /// What is hashed with the unit's id.
    public let seed: String

    /// The hash; nil if this version of the SDK does not know it, and then no unit passes.
    public let hashVersion: HashVersion?

    /// The fractions that pass.
    public let ranges: [Range<Double>]

    /// Creates a filter.
    public init(unit: String? = nil, seed: String, hashVersion: HashVersion? = .v2, ranges: [Range<Double>]) {
        (self.unit, self.seed, self.hashVersion, self.ranges) = (unit, seed, hashVersion, ranges)
    }

    /// Creates the filter of a GrowthBook namespace.
    public static func namespace(_ id: String, _ from: Double, _ to: Double) -> BucketFilter {
        BucketFilter(seed: "__\(id)", hashVersion: .v1, ranges: [from..<max(from, to)])
    }

    /// Whether a unit passes.
    package func contains(_ unitID: String) -> Bool {
        guard let hashVersion else { return false }
        let fraction = Bucketing.fraction(of: unitID, seed: seed, version: hashVersion)
        return ranges.contains { $0.contains(fraction) }
    }
}
