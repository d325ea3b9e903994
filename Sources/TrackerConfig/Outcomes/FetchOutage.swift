package import FoundationEssentials

/// A series of failed fetches, or of failures of a stream.
package struct FetchOutage: Sendable, Equatable, Encodable {
    package var since: Date
    package var lastTime: Date
    package var tries: Int
    /// The reason for the last failure, as a sentence.
    package var text: String

    package init(since: Date, lastTime: Date, tries: Int, text: String) {
        (self.since, self.lastTime, self.tries, self.text) = (since, lastTime, tries, text)
    }
}

extension FetchOutage {
    init(_ change: ConfigurationChange) {
        self.init(since: change.firstTime, lastTime: change.lastTime, tries: change.count, text: change.text)
    }
}

extension ConfigurationChange {
    init(_ outage: FetchOutage) {
        self.init(kind: .failed, text: outage.text, time: outage.since, needsAttention: true)
        (lastTime, count) = (outage.lastTime, outage.tries)
    }
}
