package import FoundationEssentials

/// A series of failed fetches.
package struct FetchOutage: Sendable, Equatable, Codable {
    /// The time when the first of them failed.
    package var since: Date

    /// The time when the last of them failed.
    package var lastTime: Date

    /// The number of failed fetches.
    package var tries: Int

    /// The reason for the last failure, as a sentence.
    package var text: String

    package init(since: Date, lastTime: Date, tries: Int, text: String) {
        self.since = since
        self.lastTime = lastTime
        self.tries = tries
        self.text = text
    }
}
