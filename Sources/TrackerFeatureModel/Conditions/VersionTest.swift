/// A comparison of versions.
struct VersionTest: Sendable {
    /// Nil for equality.
    let comparison: Comparison?
    let version: Version

    func matches(_ value: JSONValue) -> Bool {
        let order = version.order(of: value)
        return comparison?.holds(order, 0) ?? (order == 0)
    }
}
