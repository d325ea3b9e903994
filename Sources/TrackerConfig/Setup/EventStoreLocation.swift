/// Where a setup keeps unsent events.
@nonexhaustive
public enum EventStoreLocation: Sendable, Hashable {
    /// In a file of the state directory, which outlives the process.
    case directory
    /// In memory: they end with the process, and no file is created for them. It asks for no warning.
    case memory
}
