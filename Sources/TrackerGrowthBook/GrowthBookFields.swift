import TrackerFeatures

/// What a rule or an experiment of GrowthBook consists of.
struct GrowthBookFields {
    /// What the warning of something that cannot be used ends with.
    static let matchesNone = "it matches no context"

    /// What the fields belong to.
    enum Kind {
        /// A rule of a feature.
        case rule
        /// An experiment that stands alone: `force` is the index of a variation.
        case experiment
    }

    /// Where it begins, in bytes from the start of the text.
    var offset = 0
    var id: String?
    var key: String?
    var force: JSONValue?
    var forcedIndex: Int?
    var variations: [JSONValue] = []
    var meta: [(key: String?, isPassthrough: Bool)] = []
    var weights: [Double]?
    var ranges: [Range<Double>]?
    var coverage: Double?
    var range: Range<Double>?
    var unit = GrowthBookReader.defaultUnit
    var fallbackUnit: String?
    var seed: String?
    /// nil if this version does not know it.
    var hashVersion: HashVersion? = .v1
    var filters: [BucketFilter]?
    /// The filter of the namespace, if there is one.
    var namespaces: [BucketFilter] = []
    var condition: Condition?
    var prerequisites: [Prerequisite] = []
    var disablesStickiness = false
    var bucketVersion = 0
    var minBucketVersion = 0
    var isActive = true
    var isStopped = false
    /// Whether all of it can be used.
    var isUsable = true

    /// The share of units of a rule that forces a value; nil for all contexts.
    ///
    /// A coverage of 1 is a share too: without the unit the rule does not match.
    func bucket(of feature: String) -> RuleBucket? {
        let seed = seed ?? feature
        if let range { return RuleBucket(unit: unit, seed: seed, hashVersion: hashVersion, range: range) }
        guard let coverage else { return nil }
        return RuleBucket(unit: unit, seed: seed, hashVersion: hashVersion, coverage: coverage)
    }
}
