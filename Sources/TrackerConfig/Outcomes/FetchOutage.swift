public import FoundationEssentials

/// A series of failed fetches.
public struct FetchOutage: Sendable, Equatable, Codable {
    /// The time when the first of them failed.
    public var since: Date

    /// The time when the last of them failed.
    public var lastTime: Date

    /// The number of failed fetches.
    public var tries: Int

    /// The reason for the last failure, as a sentence.
    public var text: String

    package init(since: Date, lastTime: Date, tries: Int, text: String) {
        self.since = since
        self.lastTime = lastTime
        self.tries = tries
        self.text = text
    }
}
