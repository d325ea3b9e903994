/// The warnings for the next update, and which of them were logged.
final class UpdateWarnings: Sendable {
    private struct State: Sendable {
        var pending: [ConfigurationError] = []
        /// The warnings of the start that were logged before any update.
        var logged: [ConfigurationError] = []
        /// The digests of the documents whose warnings were logged.
        var documents: [UInt64] = []
    }

    private let log: Log
    private let state = Locked(State())

    /// - Parameter log: Where to log warnings as they are noted.
    init(log: Log) {
        self.log = log
    }

    /// Keeps warnings of the start, which the first update logs.
    func add(_ warnings: [ConfigurationError]) {
        state.withLock { $0.pending += warnings }
    }

    /// Keeps warnings for the next update, each once, and logs them; of work in the background at a level that is seen,
    /// because the next update may be far away.
    func note(_ warnings: [ConfigurationError], _ level: LogLevel = .debug) {
        for warning in warnings {
            let isNew = state.withLock { state in
                if state.pending.contains(warning) { return false }
                state.pending.append(warning)
                return true
            }
            if isNew { log.log(level, "\(warning)") }
        }
    }

    /// Hands over the warnings for an update.
    func take() -> [ConfigurationError] {
        state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
    }

    /// Logs the warnings of a start without a configuration, whose first update may be far away.
    func logPending() {
        let warnings = state.withLock { state in
            state.logged = state.pending
            return state.logged
        }
        for warning in warnings { log.warning("\(warning)") }
    }

    /// The warnings of an update that were not logged before: those of a document are logged once.
    func unlogged(_ warnings: [ConfigurationError], of document: Document?) -> [ConfigurationError] {
        let logged = state.withLock { state in
            defer { state.logged = [] }
            guard let document else { return state.logged }
            if state.documents.contains(document.digest) { return state.logged + document.warnings }
            state.documents.append(document.digest)
            return state.logged
        }
        return warnings.filter { !logged.contains($0) }
    }
}
