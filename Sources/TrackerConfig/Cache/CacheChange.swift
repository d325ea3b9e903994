/// A change of a URL's entries: an unusable entry is removed before a new one takes its place.
package struct CacheChange: Sendable {
    /// Decides on the change by the entries that are stored. Called again if another process was faster.
    package typealias Plan = @Sendable (_ stored: [CacheEntry]) -> CacheChange

    /// The lists of entries that follow each other, the last one to stay.
    package let steps: [[CacheEntry]]
    package let warnings: [String]

    package init(_ steps: [CacheEntry]..., warnings: [String] = []) {
        (self.steps, self.warnings) = (steps, warnings)
    }

    // Far more than processes can be faster by chance.
    static let maxAttempts = 64
}

/// Why entries were not stored.
struct CacheConflict: Error, CustomStringConvertible {
    var description: String { "other processes replaced the entries \(CacheChange.maxAttempts) times meanwhile" }
}
