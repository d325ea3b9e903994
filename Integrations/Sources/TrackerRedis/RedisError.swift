/// Why a call to Redis failed.
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// There is no connection, or it was lost.
        case disconnected
        /// The server did not answer in time.
        case timeout
        /// The server answered with an error.
        case refused
        /// The answer is not one that the command gives, or a stored value is not one of this store.
        case unexpected
        /// The store was closed.
        case closed
    }

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// What happened, as a sentence.
    public var description: String { reason }
}
