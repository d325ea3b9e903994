import FoundationEssentials

extension SetupStatus {
    /// The state in sentences, the worst first: by level, and within a level by harm. Lost events come before events that may
    /// soon be lost, then events that wait, a rollback, a document that is not used, and the rest.
    ///
    /// A line is a `problem` if events or a configuration are lost or delayed, a `warning` if that may happen, `news`
    /// if the operator should know it, such as a canary or an override, and `normal` otherwise.
    public var lines: [StatusLine] {
        let delivery = DeliveryLines(self)
        let byHarm =
            missingLines + delivery.lost + issueLines([.untracked]) + storeLines + delivery.soonLost + delivery.waiting
            + unclaimedLines + revertedLines + pendingLines + documentLines + rolloutLines + fetchLines + streamLines
            + delivery.others
            + issueLines(CodeIssue.Kind.allCases.filter { $0 != .untracked }) + overrideLines
        return StatusLine.Level.allCases.flatMap { level in byHarm.filter { $0.level == level } }
    }

    private var storeLines: [StatusLine] {
        guard let eventStoreFailure else { return [] }
        return [
            StatusLine(
                level: .warning, text: eventStoreFailure.text.sentence, since: eventStoreFailure.since, topic: .tracker)
        ]
    }

    private var unclaimedLines: [StatusLine] {
        guard let oldest = unclaimed.values.map(\.oldest).min() else { return [] }
        let events = counted(unclaimed.values.reduce(0) { $0 + $1.count }, "event")
        let names = listed(unclaimed.keys.map(\.text).sorted())
        let age = time.timeIntervalSince(Date(milliseconds: oldest)).inWords
        let text = "\(events) of another process wait for a tracker of \(names), oldest \(age)"
        return [StatusLine(level: .warning, text: text, topic: .tracker)]
    }

    /// One line for each kind of issue, with the most frequent of its issues.
    private func issueLines(_ kinds: [CodeIssue.Kind]) -> [StatusLine] {
        kinds.compactMap { kind in
            let own = issues.filter { $0.kind == kind }
            guard let first = own.first else { return nil }
            let more = own.count > 1 ? ", and \(own.count - 1) more" : ""
            // A name that begins the sentence stays as it is.
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
    /// The text with a capital letter at its beginning.
    var sentence: String { prefix(1).uppercased() + dropFirst() }
}
