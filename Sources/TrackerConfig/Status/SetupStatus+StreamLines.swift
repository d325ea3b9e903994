import FoundationEssentials
import TrackerJSON

extension SetupStatus {
    /// The line about the stream of changes: that it is open, or why it is not.
    var streamLines: [StatusLine] {
        guard let streaming, !isStopped else { return [] }
        if let since = streaming.connectedSince {
            return [StatusLine(level: .normal, text: "Changes are streamed", since: since, topic: .fetch)]
        }
        guard let failures = streaming.outage else { return [] }
        let polls = pollIntervalSeconds != nil
        let rest = !polls ? "" : outage == nil ? "; polling goes on" : "; polling fails too"
        // Without polling, changes are missed while the stream is down.
        let isProblem = outage != nil || !polls && document.staleSince != nil
        let text = "The stream of changes is down (\(counted(failures.count, "try", "tries"))): \(failures.text)\(rest)"
        return [
            StatusLine(level: isProblem ? .problem : .warning, text: text, since: failures.firstTime, topic: .fetch)
        ]
    }
}
