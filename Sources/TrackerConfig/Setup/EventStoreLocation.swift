/// The place where a setup keeps unsent events.
@nonexhaustive
public enum EventStoreLocation: Sendable, Hashable {
    /// In a file of the state directory, which survives the process.
    case directory
    /// In memory, without a file and without a warning; the events are lost when the process ends.
    case memory
}
