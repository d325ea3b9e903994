/// Checks of the promises of the library's protocols, for a service's own implementations.
///
/// Each check throws a ``ConformanceError`` that lists the broken promises, so it works with every test framework. It
/// needs no particular environment and takes some seconds at most; an implementation that hangs is abandoned after 10
/// s.
///
/// ```swift
/// @Test("the cache of the fleet keeps its promises")
/// func fleetCache() async throws {
///     try await Conformance.check(FleetCache(redis))
/// }
/// ```
public enum Conformance {
    /// The time limit of calls that should return by themselves.
    @TaskLocal static var patience = Duration.seconds(10)
}

/// The promises of a protocol that an implementation breaks.
public struct ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the implementation's type.
    public let implementation: String

    /// The name of the protocol.
    public let requirements: String

    /// The broken promises, one sentence each, with what happened instead.
    public let broken: [String]

    /// A line with the names, and a line for each broken promise.
    public var description: String {
        "\(implementation) breaks \(broken.count == 1 ? "a promise" : "\(broken.count) promises") of \(requirements):"
            + broken.map { "\n- \($0)" }.joined()
    }
}
