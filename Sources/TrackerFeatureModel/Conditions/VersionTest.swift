/// A comparison of versions.
struct VersionTest: Sendable {
    /// Nil for equality.
    let comparison: Comparison?
    let version: PaddedVersion

    func matches(_ value: JSONValue) -> Bool {
        let order = version.compare(value)
        return comparison?.holds(order, 0) ?? (order == 0)
    }
}
