import FoundationEssentials
import TrackerJSON

extension SetupStatus {
    /// Computes the members that depend on others.
    package mutating func conclude() {
        isHealthy = document.state != nil && !isStopped
        failing = trackers.filter(\.isFailing).map(\.namespace)
        let delivery = DeliveryLines(self)
        let byHarm: [[StatusLine?]] = [
            [missingLine], delivery.lost, issueLines([.untracked]), [storeLine], delivery.soonLost, delivery.waiting,
            [unclaimedLine, revertedLine, pendingLine], documentLines, [rolloutLine, fetchLine, streamLine],
            delivery.others, issueLines(CodeIssue.Kind.allCases.filter { $0 != .untracked }), [overrideLine],
        ]
        let all = byHarm.joined().compactMap(\.self)
        lines = StatusLine.Level.allCases.flatMap { level in all.filter { $0.level == level } }
    }

    private var storeLine: StatusLine? {
        eventStoreFailure.map { StatusLine(level: .warning, text: $0.text.sentence, since: $0.since, topic: .tracker) }
    }

    private var unclaimedLine: StatusLine? {
        guard let unclaimed else { return nil }
        let (events, names) = (counted(unclaimed.count, "event"), listed(unclaimed.namespaces))
        let age = time.timeIntervalSince(unclaimed.oldest).inWords
        let text = "\(events) of another process wait for a tracker of \(names), oldest \(age)"
        return StatusLine(level: .warning, text: text, topic: .tracker)
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

    private var overrideLine: StatusLine? {
        guard let first = overrides.first else { return nil }
        var text = overrides.count == 1 ? "1 override is in effect" : "\(overrides.count) overrides are in effect"
        if overrides.count == 1 { text += ": \(first.name.oneLine(most: 120))" }
        return StatusLine(level: .news, text: text, since: overrides.compactMap(\.time).min(), topic: .override)
    }
}
