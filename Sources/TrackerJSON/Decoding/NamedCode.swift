/// A kind of error or outcome, by its name. It is no enum, so that later versions, and sources and transports of your own, may
/// add kinds; a `switch` over codes has a `default`.
///
/// ```swift
/// switch error.code {
/// case .timeout, .transport: retry()
/// default: throw error
/// }
/// ```
public struct NamedCode<Owner>: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The code's name, as ``description``.
    public let rawValue: String

    /// Creates a code.
    /// - Parameter rawValue: The code's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code's name.
    public var description: String { rawValue }
}
