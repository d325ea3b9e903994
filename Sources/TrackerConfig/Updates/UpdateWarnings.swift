/// The warnings for the next update, and which of them were logged.
final class UpdateWarnings: Sendable {
    private let log: Log
    private let pending = Locked<[(warning: ConfigurationError, isLogged: Bool)]>([])

    /// - Parameter log: Where to log warnings as they are noted.
    init(log: Log) {
        self.log = log
    }

    /// Keeps warnings for the next update, each once, and logs them; of work in the background at a level that is seen,
    /// because the next update may be far away.
    /// - Parameters:
    ///   - warnings: The warnings.
    ///   - level: The level. Less severe ones are logged once more with the update.
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

    /// Hands over the warnings for an update, with those that are still to be logged.
    func take() -> (all: [ConfigurationError], unlogged: [ConfigurationError]) {
        let taken = pending.exchange([])
        return (taken.map(\.warning), taken.filter { !$0.isLogged }.map(\.warning))
    }

    /// Logs the warnings of a start without a configuration, whose first update may be far away.
    func logPending() {
        let warnings = pending.withLock { pending in
            let unlogged = pending.filter { !$0.isLogged }.map(\.warning)
            pending = pending.map { ($0.warning, true) }
            return unlogged
        }
        for warning in warnings { log.warning("\(warning)") }
    }
}
