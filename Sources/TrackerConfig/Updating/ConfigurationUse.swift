/// What became of a fetch, for its callers and for the log.
struct ConfigurationUse: Sendable {
    /// How the fetch ended.
    let outcome: ConfigurationOutcome

    /// The update that it brought; nil if no document was applied.
    let update: ConfigurationUpdate?

    /// How severe the outcome is in the log.
    let logLevel: LogLevel

    init(_ outcome: ConfigurationOutcome, _ update: ConfigurationUpdate? = nil) {
        (self.outcome, self.update, logLevel) = (outcome, update, outcome.logLevel)
    }

    /// A document that is held back. Of a canary that is for other instances that is normal; of a version that kills its
    /// processes or was reverted the operator should know.
    init(_ objection: Objection, version: Int) {
        outcome = .held(version: version, reason: objection.reason)
        update = nil
        logLevel = objection.logLevel
    }
}
