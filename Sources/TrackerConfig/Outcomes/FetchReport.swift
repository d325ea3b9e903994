/// How a fetch ended, for its callers and for the log.
struct FetchReport: Sendable {
    /// The outcome of the fetch.
    let outcome: ConfigurationOutcome

    /// How severe the outcome is in the log.
    let logLevel: LogLevel

    init(_ outcome: ConfigurationOutcome) {
        (self.outcome, logLevel) = (outcome, outcome.logLevel)
    }

    /// Whether the operator should look at it.
    var needsAttention: Bool { logLevel <= .warning }

    /// A document that is held back.
    init(_ objection: HoldReason, version: Int) { self.init(.held(objection, version: version)) }
}

extension ConfigurationOutcome {
    /// The outcome of a fetch that a shutdown ended.
    static var shutDown: ConfigurationOutcome {
        .failed(FetchError(.shutDown, reason: "the setup was shut down"))
    }
}
