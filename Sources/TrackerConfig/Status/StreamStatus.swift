package import FoundationEssentials
import TrackerJSON

/// The stream of hints from the document's source; see ``ConfigurationSource/changes()``.
package struct StreamStatus: Sendable, Equatable, Encodable {
    /// The time when the connection was opened; nil if there is no connection.
    package var connectedSince: Date?

    /// The time of the last hint; nil before the first.
    package var lastHintTime: Date?

    /// The number of connections that were opened after the first one.
    package var reconnections = 0

    /// The consecutive failures, with the reason for the last one; nil while a connection is open, and if none has
    /// failed. A connection that lasted less than a minute counts as a failure.
    package var outage: ConfigurationChange?
}

extension StreamStatus {
    /// - Parameter stream: The stream; nil if its source has none.
    init?(_ stream: ChangeStream) {
        guard stream.isOffered else { return nil }
        if case .open(let since) = stream.phase { connectedSince = Date(milliseconds: since.time) }
        lastHintTime = stream.lastHint.map(Date.init(milliseconds:))
        reconnections = max(stream.connections - 1, 0)
        if stream.isFailing { outage = stream.failures }
    }
}

extension SetupStatus {
    /// The line about the stream of changes: that it is open, or why it is not.
    var streamLine: StatusLine? {
        guard let streaming, !isStopped else { return nil }
        if let since = streaming.connectedSince {
            return StatusLine(level: .normal, text: "Changes are streamed", since: since, topic: .fetch)
        }
        guard let failures = streaming.outage else { return nil }
        let polls = pollIntervalSeconds != nil
        let rest = !polls ? "" : outage == nil ? "; polling goes on" : "; polling fails too"
        // Without polling, changes are missed while the stream is down.
        let isProblem = outage != nil || !polls && document.staleSince != nil
        let text = "The stream of changes is down (\(counted(failures.count, "try", "tries"))): \(failures.text)\(rest)"
        return StatusLine(
            level: isProblem ? .problem : .warning, text: text, since: failures.firstTime, topic: .fetch)
    }
}
