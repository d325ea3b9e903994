/// An update or an outcome of a setup; see ``Setup/events``.
@nonexhaustive
public enum SetupEvent: Sendable {
    /// A configuration was applied.
    case update(ConfigurationUpdate)
    /// A fetch ended; it follows the update of the same fetch, if there is one.
    case outcome(ConfigurationOutcome)
}
