import TrackerCore

/// The warnings for the next update, and whether they were logged.
final class UpdateWarnings: Sendable {
    private let log: Log
    private let pending = Locked<[(warning: ConfigurationError, isLogged: Bool)]>([])

    /// - Parameter log: The log for warnings as they are noted.
    init(log: Log) {
        self.log = log
    }

    /// Stores warnings for the next update, each once, and logs them. Work in the background uses a visible level,
    /// because the next update may be far away.
    /// - Parameters:
    ///   - warnings: The warnings.
    ///   - level: The level. Warnings logged at a less severe level than `warning` are logged again with the update.
    func note(_ warnings: [ConfigurationError], _ level: LogLevel = .debug) {
        for warning in warnings {
            let isNew = pending.withLock { pending in
                if pending.contains(where: { $0.warning == warning }) { return false }
                pending.append((warning, level == .warning))
                return true
            }
            if isNew { log.log(level, "\(warning)") }
        }
    }

    /// Returns and clears the warnings for an update, and those that were not logged yet.
    func take() -> (all: [ConfigurationError], unlogged: [ConfigurationError]) {
        let taken = pending.exchange([])
        return (taken.map(\.warning), taken.filter { !$0.isLogged }.map(\.warning))
    }

    /// Logs the pending warnings at a start without a configuration, because its first update may be far away.
    func logPending() {
        let warnings = pending.withLock { pending in
            let unlogged = pending.filter { !$0.isLogged }.map(\.warning)
            pending = pending.map { ($0.warning, true) }
            return unlogged
        }
        for warning in warnings { log.warning("\(warning)") }
    }
}
