/// A variable at hand: named once, read at the cost of a look whether anything has changed. For hot paths, and as a property.
///
/// ```swift
/// struct Checkout {
///     @Variable var retryLimit: Int
///
///     init(_ features: Features) {
///         _retryLimit = Variable(features, "checkout", "retryLimit", default: 3)
///     }
/// }
/// ```
///
/// Without a context it skips experiments. Setting it sets an override, see ``FeatureOverrides``; one that cannot be kept on
/// disk is in effect all the same and logged.
@propertyWrapper
public final class Variable<Value: Codable & Sendable>: Sendable {
    /// A value with the snapshot that it was read from.
    private final class Reading: Sendable {
        let generation: UInt64
        let value: Value

        init(_ value: Value, _ generation: UInt64) {
            self.value = value
            self.generation = generation
        }
    }

    private let features: Features
    private let key: VariableKey
    private let reading: RCUReference<Reading>
    private let `default`: Value

    /// Takes a variable at hand.
    /// - Parameters:
    ///   - features: Where it is read from.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The value where nobody has the variable, or where it cannot be read as this type.
    public init(_ features: Features, _ feature: String, _ variable: String, default: Value) {
        self.features = features
        key = VariableKey(feature, variable)
        self.default = `default`
        reading = RCUReference(Reading(`default`, 0), in: features.store.domain)
    }

    /// The value; setting it sets an override.
    public var wrappedValue: Value {
        get {
            let latest = features.store.generation
            // Read without a reference counted, which two threads would fight about.
            return reading.read(where: { $0.generation == latest }, { $0.value }, else: { readAgain() })
        }
        set { features.set(newValue, for: key) }
    }

    /// The value, where this is used as it is and not as a wrapper.
    public var value: Value { wrappedValue }

    /// The variable itself.
    public var projectedValue: Variable { self }

    @inline(never)
    private func readAgain() -> Value {
        let snapshot = features.snapshot
        let value = snapshot.value(key.feature, key.variable, default: `default`)
        // In a forked child a lock may be held by a thread that does not exist there; reads by name go on.
        if features.store.forkGuard.isOwnProcess { reading.replace(with: Reading(value, snapshot.layers.generation)) }
        return value
    }
}
