/// What an instance records for its fleet.
package enum FleetEvent: Sendable {
    /// A configuration was applied.
    case applied(ActiveConfiguration, previousVersion: Int?)
    /// A document was rejected.
    case rejected(ConfigurationError)
    /// The instance rolled a version back to a configuration.
    case reverted(from: Int, to: ActiveConfiguration, reason: String)
}
