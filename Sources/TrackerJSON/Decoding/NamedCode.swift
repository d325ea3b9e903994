/// A named kind of error or outcome. It is a struct rather than an enum, so that later versions, and your own sources
/// and transports, can add kinds; a `switch` over codes needs a `default`.
///
/// ```swift
/// switch error.code {
/// case .timeout, .transport: retry()
/// default: throw error
/// }
/// ```
public struct NamedCode<Owner>: RawRepresentable, Sendable, Hashable, Encodable, CodingKeyRepresentable,
    CustomStringConvertible
{
    /// The code's name, which is also its ``description``.
    public let rawValue: String

    /// Creates a code.
    /// - Parameter rawValue: The code's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code's name.
    public var description: String { rawValue }
}
