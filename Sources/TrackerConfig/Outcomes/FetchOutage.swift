package import FoundationEssentials

/// A series of failed fetches.
package struct FetchOutage: Sendable, Equatable, Codable {
    package var since: Date
    package var lastTime: Date
    package var tries: Int
    /// The reason for the last failure, as a sentence.
    package var text: String

    package init(since: Date, lastTime: Date, tries: Int, text: String) {
        (self.since, self.lastTime, self.tries, self.text) = (since, lastTime, tries, text)
    }
}
