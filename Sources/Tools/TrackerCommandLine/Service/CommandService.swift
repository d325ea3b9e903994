package import TrackerConfig
package import TrackerCore

/// The setup of a command, with its temporary directory if it has one.
package struct CommandService: Sendable {
    /// The setup.
    package let setup: Setup

    /// The temporary directory of the cache, the state or both; nil if the command line names their directories.
    let directory: RunDirectory?

    /// Whether fetched documents are stored in the temporary directory.
    let hasTemporaryCache: Bool

    /// Whether unsent events are stored in the temporary directory.
    let hasTemporaryState: Bool

    /// A sentence about the temporary directory; nil if there is none.
    package var directoryNote: String? {
        directory.map { directory in
            let (what, options) =
                switch (hasTemporaryCache, hasTemporaryState) {
                case (true, false): ("the cache is", "--cache-dir keeps it elsewhere")
                case (false, true): ("the state is", "--state-dir keeps it elsewhere")
                default: ("cache and state are", "--cache-dir and --state-dir keep them elsewhere")
                }
            return "\(what) in \(directory.path) until the command ends; \(options)"
        }
    }

    /// Shuts the setup down and removes the temporary directory, with a warning if this drops events.
    /// - Parameter timeout: The time for sending events.
    /// - Returns: The counters of the events; events in the temporary directory count as dropped.
    package func shutDown(timeout: Duration) async -> TrackerCounters {
        var report = await setup.shutdown(timeout: timeout)
        directory?.remove()
        guard hasTemporaryState, report.stored > 0 else { return report }
        let events = report.stored == 1 ? "1 unsent event was" : "\(report.stored) unsent events were"
        StandardStream.error.write(line: "warning: \(events) discarded with the temporary directory")
        report.droppedByReason[.notStored, default: 0] += report.stored
        report.stored = 0
        return report
    }
}
