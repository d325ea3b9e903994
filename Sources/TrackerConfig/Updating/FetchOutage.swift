public import FoundationEssentials

/// Fetches that fail, one after the other.
public struct FetchOutage: Sendable, Equatable, Codable {
    /// When the first of them failed.
    public var since: Date

    /// When the last of them failed.
    public var lastTime: Date

    /// How many failed.
    public var tries: Int

    /// Why the last one failed, as a sentence.
    public var text: String

    /// Creates an outage.
    /// - Parameters:
    ///   - since: When the first fetch failed.
    ///   - lastTime: When the last fetch failed.
    ///   - tries: How many failed.
    ///   - text: Why the last one failed, as a sentence.
    public init(since: Date, lastTime: Date, tries: Int, text: String) {
        self.since = since
        self.lastTime = lastTime
        self.tries = tries
        self.text = text
    }
}
