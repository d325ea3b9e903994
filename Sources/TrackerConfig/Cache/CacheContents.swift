/// The cached entries by URL, with warnings.
package struct CacheContents: Sendable {
    /// The entries by URL, the newest first.
    package var entries: [String: [CacheEntry]] = [:]
    package var warnings: [String] = []

    package init() {}

    /// Hands over the warnings.
    mutating func takeWarnings() -> [ConfigurationError] {
        defer { warnings = [] }
        return warnings.map { ConfigurationError(.warning, place: "cache", reason: $0) }
    }
}
