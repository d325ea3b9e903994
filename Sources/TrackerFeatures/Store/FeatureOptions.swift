/// The options of ``Setup/features``; part of ``SetupOptions``.
public struct FeatureOptions: Sendable {
    /// The service's own providers, the highest in precedence first; empty by default.
    public var providers: [any FeatureValueProvider] = []

    /// The path of the file that stores ``Features/overrides``, or of a symbolic link to it; nil, the default, keeps them in
    /// memory only.
    public var overridesFile: String?

    /// Decrypts the value of an encrypted variable, whose name is such as `checkout.apiKey`; nil, the default, makes reading one
    /// an error.
    ///
    /// It is called on the thread that reads, outside all locks, at each read by name and once for each change by a
    /// ``Variable``. The reader gets the error that it throws, and the error is logged, so keep secrets out of it.
    public var decrypt: (@Sendable (_ ciphertext: String, _ name: String) throws -> JSONValue)?

    /// Creates options with the default values.
    public init() {}
}

/// ``FeatureOptions/decrypt``.
package typealias Decryptor = @Sendable (_ ciphertext: String, _ name: String) throws -> JSONValue
