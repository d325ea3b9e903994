/// An experiment: variants that override variables, each for its share of the units.
///
/// ```json
/// { "id": "checkout_01", "variants": [
///     { "name": "control", "weight": 70 },
///     { "name": "fast", "weight": 30, "values": { "checkout": { "retryLimit": 5 } } } ] }
/// ```
package struct Experiment: Sendable, Hashable {
    /// The highest ``bucketVersion``, because a store keeps assignments of all lower ones separately.
    package static let maxBucketVersion = 1000

    /// The experiment's id, unique within its document.
    package let id: String

    /// The unit whose id is hashed, so that equal ids get equal variants; `userId` by default.
    package var unit: String

    /// The text that is hashed with the unit's id, so that experiments with different seeds are independent; the id by
    /// default.
    package var seed: String

    /// The version of the hash; 2 by default. nil if this version of the SDK does not know the document's number. Then
    /// no unit gets a variant, because another hash would give other variants than the author intended.
    package var hashVersion: HashVersion?

    /// The share of each variant's units that takes part, 0…1; 1 by default.
    package var coverage: Double

    /// Whether a unit keeps its first variant; false by default.
    package var isSticky: Bool

    /// The countries whose units take part, such as `US`; nil by default, which is all. If it is empty, none take part.
    package var countries: [String]?

    /// The languages whose units take part, such as `en`; nil by default, which is all. If it is empty, none take part.
    package var languages: [String]?

    /// The contexts whose units take part, in addition to ``countries`` and ``languages``; all by default.
    package var targeting: Targeting

    /// Whether the experiment assigns variants; true by default. If not, stored assignments stay.
    package var isEnabled: Bool

    /// The unit that a sticky experiment uses if the context has no id of ``unit``; nil by default.
    ///
    /// A variant stored only for this id is kept when the other id becomes known, and is then stored for that too.
    package var fallbackUnit: String?

    /// The number of the assignment, 0 or more; 0 by default. A sticky experiment with a higher number reassigns its
    /// units.
    package var bucketVersion: Int

    /// The lowest ``bucketVersion`` whose units can still take part; 0 by default. A unit with a stored variant of a
    /// lower number no longer takes part.
    package var minBucketVersion: Int

    /// The name of the variant for all units that take part; nil by default.
    package var forcedVariant: String?

    /// Whether this version of the SDK supports everything in the document's experiment. If not, no unit gets a
    /// variant.
    package var isUsable: Bool

    /// Whether a unit keeps its stored variant if ``targeting`` excludes it now, as in GrowthBook; false in documents.
    package let keepsVariantOutsideTargeting: Bool

    /// The variants in the document's order, at least one.
    package let variants: [ExperimentVariant]

    /// The range of fractions of ``Bucketing`` for each variant.
    package var ranges: [Range<Double>]

    package init(
        id: String, unit: String = "userId", seed: String? = nil, hashVersion: HashVersion? = .v2,
        coverage: Double = 1, isSticky: Bool = false, countries: [String]? = nil, languages: [String]? = nil,
        targeting: Targeting = Targeting(), isEnabled: Bool = true, ranges: [Range<Double>]? = nil,
        fallbackUnit: String? = nil, bucketVersion: Int = 0, minBucketVersion: Int = 0,
        forcedVariant: String? = nil, isUsable: Bool = true, keepsVariantOutsideTargeting: Bool = false,
        variants: [ExperimentVariant]
    ) {
        self.id = id
        self.unit = unit
        self.seed = seed ?? id
        self.hashVersion = hashVersion
        self.coverage = coverage
        self.isSticky = isSticky
        self.countries = countries
        self.languages = languages
        self.targeting = targeting
        self.isEnabled = isEnabled
        self.fallbackUnit = fallbackUnit
        self.bucketVersion = bucketVersion
        self.minBucketVersion = minBucketVersion
        self.forcedVariant = forcedVariant
        self.isUsable = isUsable
        self.keepsVariantOutsideTargeting = keepsVariantOutsideTargeting
        self.variants = variants
        self.ranges = ranges ?? Bucketing.ranges(weights: variants.map(\.weight), coverage: coverage)
    }

    /// The seed for units whose variant was removed. The length keeps the seed and the variant apart.
    package func seed(from removedVariant: String) -> String { "\(seed.utf8.count):\(seed)\(removedVariant)" }

    /// The ranges of the hash for units whose variant was removed: in proportion to the shares of the variants, and 1
    /// in total, because a unit that takes part continues to do so. Empty ranges if no variant has a share, or the hash
    /// is unknown.
    package var rangesOfFormer: [Range<Double>] {
        let widths = ranges.map { $0.upperBound - $0.lowerBound }
        let sum = widths.reduce(0, +)
        guard hashVersion != nil, sum > 0, sum.isFinite else { return widths.map { _ in 0..<0 } }
        var end = 0.0
        return widths.map { width in
            let start = end
            end += width
            return (start / sum)..<(end / sum)
        }
    }

    /// Returns the index of the variant that the hash gives to a unit, regardless of filters and stickiness.
    /// - Parameter unitID: The unit's id.
    /// - Returns: The index; nil if the unit is not covered, or the hash is unknown.
    package func variantIndex(for unitID: String) -> Int? {
        guard let hashVersion else { return nil }
        let fraction = Bucketing.fraction(of: unitID, seed: seed, version: hashVersion)
        return Bucketing.variantIndex(fraction, in: ranges)
    }
}
