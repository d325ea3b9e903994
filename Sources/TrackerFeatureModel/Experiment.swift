/// An experiment: variants that override variables, each for its share of the units.
///
/// ```json
/// { "id": "checkout_01", "variants": [
///     { "name": "control", "weight": 70 },
///     { "name": "fast", "weight": 30, "values": { "checkout": { "retryLimit": 5 } } } ] }
/// ```
public struct Experiment: Sendable, Hashable {
    /// The experiment's id, unique within its document.
    public let id: String

    /// Which of a context's ids is hashed, so that equal ids get equal variants; `userId` by default.
    public let unit: String

    /// What is hashed with the unit's id, so that experiments with different seeds are independent; the id by default.
    public let seed: String

    /// The hash; version 2 by default. Nil where the document names one that this version of the SDK does not know:
    /// then the hash gives nobody a variant, as another hash would give other variants than the author meant.
    public let hashVersion: HashVersion?

    /// The part of each variant's units that takes part, 0…1; 1 by default.
    public let coverage: Double

    /// Whether a unit keeps the variant that it was given first; false by default.
    public let isSticky: Bool

    /// The countries whose units take part, as `US`; nil by default, which is all. Empty is nobody.
    public let countries: [String]?

    /// The languages whose units take part, as `en`; nil by default, which is all. Empty is nobody.
    public let languages: [String]?

    /// The variants in the document's order, at least one.
    public let variants: [ExperimentVariant]

    /// For each variant the fractions of ``Bucketing`` that get it.
    package let ranges: [Range<Double>]

    /// Creates an experiment.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - unit: Which of a context's ids is hashed.
    ///   - seed: What is hashed with the unit's id; the experiment's id by default.
    ///   - hashVersion: The hash.
    ///   - coverage: The part of each variant's units that takes part, 0…1.
    ///   - isSticky: Whether a unit keeps the variant that it was given first.
    ///   - countries: The countries whose units take part; nil for all.
    ///   - languages: The languages whose units take part; nil for all.
    ///   - variants: The variants, at least one.
    public init(
        id: String, unit: String = "userId", seed: String? = nil, hashVersion: HashVersion? = .v2,
        coverage: Double = 1, isSticky: Bool = false, countries: [String]? = nil, languages: [String]? = nil,
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
        self.variants = variants
        ranges = Bucketing.ranges(weights: variants.map(\.weight), coverage: coverage)
    }

    /// The index of the variant that the hash gives to a unit, whatever filters and stickiness say.
    /// - Parameter unitID: The unit's id.
    /// - Returns: nil where the unit is not covered, or the hash is unknown.
    package func variantIndex(for unitID: String) -> Int? {
        guard let hashVersion else { return nil }
        let fraction = Bucketing.fraction(of: unitID, seed: seed, version: hashVersion)
        return Bucketing.variantIndex(fraction, in: ranges)
    }
}
