/// The value of a setting and where it comes from.
public struct Explanation: Sendable, Hashable {
    /// The value, as a document writes it; nil where nothing is set.
    public let value: JSONValue?

    /// The layer that gives it.
    public let source: ConfigurationLayer

    /// The version of the remote document, where ``source`` is ``ConfigurationLayer/remote``.
    public let version: Int?
}
