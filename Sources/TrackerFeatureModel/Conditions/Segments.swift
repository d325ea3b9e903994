/// Named lists of values, for the operators `$inGroup` and `$notInGroup`.
public struct Segments: Sendable, Hashable {
    /// Creates segments.
    /// - Parameter lists: The values by the segment's name; none by default.
    public init(_ lists: [String: [JSONValue]] = [:]) {}
}
