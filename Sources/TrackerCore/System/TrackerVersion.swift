/// The version of this SDK.
package enum TrackerVersion {
    /// The version in the parameter `tv` of events.
    package static let current = "swift-srv-\(number)"

    /// The `User-Agent` of all requests: `tracker-config/0.4.0 (swift-srv-0.4.0)`.
    package static let userAgent = "tracker-config/\(number) (\(current))"

    /// The version number.
    package static let number = "0.4.0"

    /// The value of `tv` with a ``TrackerConfiguration/trackerVersionSuffix``.
    static func withSuffix(_ suffix: String?) -> String {
        guard let suffix, !suffix.isEmpty else { return current }
        return "\(current) \(suffix)"
    }
}
