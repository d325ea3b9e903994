import TrackerConfig

/// Units with which all rules deal alike.
struct BucketCell {
    private static let maxCount = 20_000
    private static let maxSources = 1000

    /// The fraction by what is hashed, without sources of which all fractions are alike.
    private var fractions: [BucketSource: Double] = [:]
    /// The share of all units.
    var share = 1.0

    /// All cells; nil if there are too many.
    static func cells(of rules: [FeatureRule]) -> [BucketCell]? {
        var ranges: [BucketSource: [Range<Double>]] = [:]
        for share in rules.flatMap(\.shares) { ranges[share.source, default: []] += share.ranges }
        guard ranges.count <= maxSources else { return nil }
        var cells = [BucketCell()]
        for (source, ranges) in ranges {
            let parts = source.parts(ranges)
            // All fractions of a source with one part are alike, so no cell keeps one.
            guard parts.count > 1 else { continue }
            guard cells.count * parts.count <= maxCount else { return nil }
            cells = cells.flatMap { cell in
                parts.map { part in
                    var cell = cell
                    cell.fractions[source] = part.fraction
                    cell.share *= part.share
                    return cell
                }
            }
        }
        return cells
    }

    /// Whether the units of the cell lie in one of some ranges of the hash.
    func isIn(_ ranges: [Range<Double>], of source: BucketSource) -> Bool {
        let fraction = fractions[source] ?? 0
        return source.hashVersion != nil && ranges.contains { $0.contains(fraction) }
    }
}

/// What is hashed, and how.
struct BucketSource: Hashable {
    let unit: String
    let seed: String
    let hashVersion: HashVersion?

    /// The fractions that the hash can have, one for each part that the bounds leave whole, with the part's share.
    func parts(_ ranges: [Range<Double>]) -> [(fraction: Double, share: Double)] {
        let bounds = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        // A hash that is not known has no unit in any range, whatever the fraction.
        let count = hashVersion == .v1 ? 1000 : 10_000
        var parts: [(fraction: Double, share: Double)] = []
        var next = 0
        for bucket in 0..<count {
            let fraction = Double(bucket) / Double(count)
            let start = next
            while next < bounds.count, bounds[next] <= fraction { next += 1 }
            if parts.isEmpty || next > start { parts.append((fraction, 0)) }
            parts[parts.count - 1].share += 1 / Double(count)
        }
        return parts
    }
}

extension FeatureRule {
    /// What the rule hashes, with the fractions that belong to it.
    var shares: [(source: BucketSource, ranges: [Range<Double>])] {
        let unit = bucket?.unit ?? "userId"
        var shares = targeting.filters.map {
            (BucketSource(unit: $0.unit ?? unit, seed: $0.seed, hashVersion: $0.hashVersion), $0.ranges)
        }
        if let bucket {
            let source = BucketSource(unit: bucket.unit, seed: bucket.seed, hashVersion: bucket.hashVersion)
            shares.append((source, [bucket.range]))
        }
        return shares
    }

    var sources: [BucketSource] { shares.map(\.source) }

    /// How much has to be compared to find out whether the rule matches the units of a cell.
    var comparisonCount: Int { shares.reduce(1) { $0 + 1 + $1.ranges.count } }
}
