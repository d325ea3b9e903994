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

    /// A document that is held back. Of a canary that is for other instances that is normal; of a version that kills its
    /// processes or was reverted the operator should know.
    init(_ objection: HoldReason, version: Int) {
        outcome = .held(version: version, reason: objection.reason)
        logLevel = objection.logLevel
    }
}

extension ConfigurationOutcome {
    /// The outcome of a fetch that a shutdown ended.
    static var shutDown: ConfigurationOutcome {
        .failed(FetchError(.shutDown, reason: "the setup was shut down"))
    }
}
