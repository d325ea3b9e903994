/// The version of GrowthBook's hash that assigns units to variants.
package enum HashVersion: Int, Sendable, Hashable, CaseIterable {
    /// The first version, with steps of a thousandth. Units that share a variant in one experiment tend to share it in
    /// others.
    case v1 = 1
    /// The second version, with steps of a ten-thousandth and without that bias. It is the default.
    case v2 = 2
}
