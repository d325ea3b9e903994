/// Which of GrowthBook's published hashes assigns units to variants.
@nonexhaustive
public enum HashVersion: Int, Sendable, Hashable, CaseIterable {
    /// The first: thousandths, and units that share a variant in one experiment tend to share it in others.
    case v1 = 1
    /// The second, free of that bias: ten thousandths. The default.
    case v2 = 2
}
