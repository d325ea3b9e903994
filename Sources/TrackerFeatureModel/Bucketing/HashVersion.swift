/// The version of GrowthBook's hash that assigns units to variants.
package enum HashVersion: Int, Sendable, Hashable, CaseIterable {
    /// The first version. Units that share a variant in one experiment tend to share it in others.
    case v1 = 1
    /// The second version, without that bias. It is the default.
    case v2 = 2

    /// The number of different fractions of the hash.
    package var steps: UInt32 { self == .v1 ? 1000 : 10_000 }
}
