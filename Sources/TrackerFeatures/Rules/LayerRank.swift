/// The rank of a layer in the order of precedence: a variable's value comes from the highest layer that defines it.
struct LayerRank: Comparable, Hashable, Sendable {
    /// The default document.
    static let `default` = LayerRank(value: 0)

    /// The remote document.
    static let remote = LayerRank(value: 1)

    /// What is overridden while the service runs.
    static let overrides = LayerRank(value: .max)

    /// The rank of one of the service's own providers.
    /// - Parameter index: The provider's index in ``FeatureOptions/providers``, which begins with the highest.
    /// - Returns: The rank.
    static func provider(_ index: Int) -> LayerRank { LayerRank(value: .max - 1 - UInt32(index)) }

    private let value: UInt32

    @inline(__always)
    static func < (left: LayerRank, right: LayerRank) -> Bool { left.value < right.value }
}
