/// The options of ``Setup/features``; part of ``SetupOptions``.
public struct FeatureOptions: Sendable {
    /// The service's own providers, the highest in precedence first; empty by default.
    public var providers: [any FeatureValueProvider] = []

    /// The path of the file for ``Features/overrides``, or of a symbolic link to it; nil, the default, keeps them in
    /// memory only.
    public var overridesFile: String?

    /// Decrypts the value of an encrypted variable with a name such as `checkout.apiKey`; nil, the default, makes
    /// reading one an error.
    ///
    /// It is called on the reading thread, outside all locks, at each read by name and once for each change by a
    /// ``Variable``. An error that it throws is passed to the reader and logged, so it must not contain secrets.
    public var decrypt: (@Sendable (_ ciphertext: String, _ name: String) throws -> JSONValue)?

    /// Creates options with the default values.
    public init() {}
}

/// The type of ``FeatureOptions/decrypt``.
package typealias Decryptor = @Sendable (_ ciphertext: String, _ name: String) throws -> JSONValue
