import Synchronization

/// A handle of a variable: a read costs a look whether anything has changed. For hot paths, and as a property.
///
/// The first read after a change takes no lock and releases nothing; it decodes the value again only if the variable itself
/// has changed.
///
/// ```swift
/// struct Checkout {
///     @Variable var retryLimit: Int
///
///     init(_ features: Features) {
///         _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
///     }
/// }
/// ```
///
/// It has no context, so it skips experiments. `$retryLimit.setOverride(5)` sets an override, see ``FeatureOverrides``.
@propertyWrapper
public final class Variable<Value: Decodable & Sendable>: Sendable {
    /// A value with the content that it was made of.
    private final class Reading: Sendable {
        let value: Value
        /// nil if no source has the variable.
        let content: VariableContent?
        /// The generation of the latest snapshot that is known to have this content.
        let generation: Atomic<UInt64>

        init(_ value: Value, of content: VariableContent?, _ generation: UInt64) {
            (self.value, self.content) = (value, content)
            self.generation = Atomic(generation)
        }

        /// Whether the same value would be made of another content. An encrypted variable is decrypted after each change.
        func isMade(of other: VariableContent?) -> Bool {
            guard let content, let other else { return content == nil && other == nil }
            return !content.isEncrypted && !other.isEncrypted && content.value.isExactly(other.value)
        }
    }

    private let features: Features
    private let key: VariableKey
    private let reading: RCUReference<Reading>
    private let `default`: Value

    /// Creates a handle.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The value if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, variable: String, default: Value) {
        self.features = features
        key = VariableKey(feature, variable)
        self.default = `default`
        reading = RCUReference(Reading(`default`, of: nil, 0), in: features.store.domain)
    }

    /// The value.
    public var wrappedValue: Value {
        let latest = features.store.generation
        // Without counting a reference, which threads would contend for.
        return reading.read(
            where: { $0.generation.load(ordering: .acquiring) == latest }, { $0.value }, else: { readAgain() })
    }

    /// The value, if this is not used as a property wrapper.
    public var value: Value { wrappedValue }

    /// The handle itself.
    public var projectedValue: Variable { self }

    /// Overrides the variable; it writes the file of overrides, if there is one.
    /// - Parameter value: The value; a null removes the override.
    /// - Throws: ``FeatureError`` if the value cannot be written as JSON, or if the file cannot be written.
    public func setOverride(_ value: Value) throws(FeatureError) where Value: Encodable {
        try features.overrides.set(value, for: key.feature, variable: key.variable)
    }

    /// Removes the variable's override, so that the next source in precedence applies again.
    /// - Throws: ``FeatureError`` if the file of overrides cannot be written.
    public func removeOverride() throws(FeatureError) {
        try features.overrides.remove(key.feature, variable: key.variable)
    }

    @inline(never)
    private func readAgain() -> Value {
        let (candidate, generation) = features.store.read { ($0.candidate(key), $0.generation) }
        // Most changes are of other variables.
        return reading.read(
            where: { $0.isMade(of: candidate?.content) },
            { reading in
                reading.generation.store(generation, ordering: .releasing)
                return reading.value
            },
            else: { read(candidate, generation) })
    }

    private func read(_ candidate: Candidate?, _ generation: UInt64) -> Value {
        let value = candidate.map { features.reader.detail($0, key, default: `default`).value } ?? `default`
        // In a forked child nothing is released in the background; the value is read again each time.
        if features.store.forkGuard.isOwnProcess {
            reading.replaceAsReader(with: Reading(value, of: candidate?.content, generation))
        }
        return value
    }
}
