import FoundationEssentials
import TrackerJSON

extension SetupStatus {
    /// Computes the members that depend on others.
    package mutating func conclude() {
        isHealthy = document.state != nil && !isStopped
        failing = trackers.filter(\.isFailing).map(\.namespace)
        let delivery = DeliveryLines(self)
        let byHarm =
            missingLines + delivery.lost + issueLines([.untracked]) + storeLines + delivery.soonLost + delivery.waiting
            + unclaimedLines + revertedLines + pendingLines + documentLines + rolloutLines + fetchLines + streamLines
            + delivery.others
            + issueLines(CodeIssue.Kind.allCases.filter { $0 != .untracked }) + overrideLines
        lines = StatusLine.Level.allCases.flatMap { level in byHarm.filter { $0.level == level } }
    }

    private var storeLines: [StatusLine] {
        guard let eventStoreFailure else { return [] }
        return [
            StatusLine(
                level: .warning, text: eventStoreFailure.text.sentence, since: eventStoreFailure.since, topic: .tracker)
        ]
    }

    private var unclaimedLines: [StatusLine] {
        guard let unclaimed else { return [] }
        let (events, names) = (counted(unclaimed.count, "event"), listed(unclaimed.namespaces))
        let age = time.timeIntervalSince(unclaimed.oldest).inWords
        let text = "\(events) of another process wait for a tracker of \(names), oldest \(age)"
        return [StatusLine(level: .warning, text: text, topic: .tracker)]
    }

    /// One line for each kind of issue, about the most frequent one.
    private func issueLines(_ kinds: [CodeIssue.Kind]) -> [StatusLine] {
        kinds.compactMap { kind in
            let own = issues.filter { $0.kind == kind }
            guard let first = own.first else { return nil }
            let more = own.count > 1 ? ", and \(own.count - 1) more" : ""
            // A name at the beginning of the sentence keeps its case.
            let text = kind == .untracked || kind == .malformedSchema ? first.text.sentence : first.text
            return StatusLine(
                level: .warning, text: "\(text) (\(counted(first.count, "time")))\(more)", topic: .code)
        }
    }

    private var overrideLines: [StatusLine] {
        guard let first = overrides.first else { return [] }
        var text = overrides.count == 1 ? "1 override is in effect" : "\(overrides.count) overrides are in effect"
        if overrides.count == 1 { text += ": \(first.name.oneLine(most: 120))" }
        return [
            StatusLine(level: .news, text: text, since: overrides.compactMap(\.time).min(), topic: .override)
        ]
    }
}

extension String {
    /// The text with an upper-case first letter.
    var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// The text with a lower-case first letter, for the middle of a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
