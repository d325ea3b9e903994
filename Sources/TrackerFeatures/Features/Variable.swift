public import FoundationEssentials

/// A variable as a handle for hot paths, and as a property wrapper. Reading a value that neither rules nor experiments
/// decide costs only a check for changes.
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
/// A read evaluates rules and experiments for the context that is bound to the task (``TrackingContext``), and skips
/// experiments if there is none; ``evaluated(in:)`` returns the variable for one context. `$retryLimit.setOverride(5)`
/// sets an override for the whole process, see ``FeatureOverrides``.
@propertyWrapper
public struct Variable<Value: Decodable & Sendable>: Sendable {
    private let handle: VariableHandle<Value>
    /// The context of reads; nil for the context that is bound to the task.
    private var scope: TrackingContext?

    /// Creates a variable.
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - default: The value if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, variable: String, default: Value) {
        handle = VariableHandle(features, VariableKey(feature, variable), default: `default`)
    }

    /// Creates a variable that is nil if no source has it, or if its value cannot be read as this type.
    ///
    /// ```swift
    /// @Variable var apiKey: String?
    /// _apiKey = Variable(features, "checkout", variable: "apiKey")
    /// ```
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    public init(_ features: Features, _ feature: String, variable: String) where Value: ExpressibleByNilLiteral {
        self.init(features, feature, variable: variable, default: nil)
    }

    /// Creates a variable that must have a value.
    ///
    /// If a later document no longer has the variable, or has it with another type, the variable has its initial value.
    ///
    /// ```swift
    /// @Variable var host: String
    /// _host = try Variable(features, "search", requiring: "host")
    /// ```
    /// - Parameters:
    ///   - features: The features to read.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: ``FeatureError`` if no source has the variable, or if its value cannot be read as this type.
    public init(_ features: Features, _ feature: String, requiring variable: String) throws(FeatureError) {
        self.init(features, feature, variable: variable, default: try features.require(feature, variable: variable))
    }

    /// The value.
    public var wrappedValue: Value { handle.value(in: scope) }

    /// The value, for use without the property wrapper.
    public var value: Value { wrappedValue }

    /// The variable itself.
    public var projectedValue: Variable { self }

    /// Reads the variable for one context.
    /// - Parameter context: The context of rules and experiments.
    /// - Returns: The value.
    public func value(for context: FeatureContext) -> Value {
        handle.value(in: TrackingContext(evaluation: context))
    }

    /// Returns the variable for one context, independent of the context that is bound to the task.
    /// - Parameter context: The context, of which only ``TrackingContext/evaluation`` is used.
    /// - Returns: The variable.
    public func evaluated(in context: TrackingContext) -> Variable {
        var variable = self
        variable.scope = context
        return variable
    }

    /// Overrides the variable, and writes the file of overrides if there is one.
    /// - Parameters:
    ///   - value: The value; null removes the override.
    ///   - by: The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    ///   - note: The reason for the override, such as the number of an incident; nil by default.
    ///   - expiry: The time when the override expires, by the setup's clock, in the future; nil, the default, keeps it
    ///     until it is removed.
    /// - Throws: ``FeatureError`` if the value cannot be encoded as JSON, if the expiry is not in the future, or if the
    ///   file cannot be written.
    public func setOverride(
        _ value: Value, by: String? = nil, note: String? = nil, expiry: Date? = nil
    ) throws(FeatureError) where Value: Encodable {
        try handle.features.overrides.set(
            value, for: handle.key.feature, variable: handle.key.variable, by: by, note: note, expiry: expiry)
    }

    /// Removes the variable's override, so that the next source in precedence applies again.
    /// - Throws: ``FeatureError`` if the file of overrides cannot be written.
    public func removeOverride() throws(FeatureError) {
        try handle.features.overrides.remove(handle.key.feature, variable: handle.key.variable)
    }
}

/// The state of a variable in layers of one generation. Not generic like its handle, because that would request the
/// type's layout from the runtime.
private class RememberedVariable: @unchecked Sendable {
    let generation: UInt64
    let usage: UsageCounters?
    /// The value for all contexts before decoding; nil if rules or experiments decide.
    let json: JSONValue?
    /// The place of the key if rules or experiments decide; valid only with layers of the same generation.
    let place: FeatureLayers.Place?

    init(_ generation: UInt64, _ usage: UsageCounters?, _ json: JSONValue?, _ place: FeatureLayers.Place? = nil) {
        (self.generation, self.usage, self.json, self.place) = (generation, usage, json, place)
    }
}

private final class RememberedValue<Value: Sendable>: RememberedVariable, @unchecked Sendable {
    let value: Value

    init(_ value: Value, _ json: JSONValue, in layers: FeatureLayers, of feature: String) {
        self.value = value
        super.init(layers.generation, layers.usage(of: feature), json)
    }
}

/// The shared state of all copies of a ``Variable``: the variable's name and the last decoded value.
private final class VariableHandle<Value: Decodable & Sendable>: Sendable {
    let features: Features
    let key: VariableKey
    private let `default`: Value
    private let remembered = Sharded<RememberedVariable?>(nil)

    init(_ features: Features, _ key: VariableKey, default: Value) {
        (self.features, self.key, self.default) = (features, key, `default`)
    }

    /// Reads the variable.
    /// - Parameter scope: The context of the read; nil for the context that is bound to the task.
    /// - Returns: The value.
    func value(in scope: TrackingContext?) -> Value {
        let generation = features.store.generation
        let known = remembered.withLock { $0 }
        if let known, known.generation == generation, known.json != nil,
            !(RequestOverrides.areMade && (scope.map(\.evaluation) ?? .current)?.hasOverrides == true)
        {
            known.usage?.count(.static)
            return unsafeDowncast(known, to: RememberedValue<Value>.self).value
        }
        guard let scope else { return read(known) }
        // An exposure has the scope's subject.
        return withTrackingContext(scope) { read(known) }
    }

    @inline(never)
    private func read(_ known: RememberedVariable?) -> Value {
        let layers = features.store.layers
        let key = FeatureKey.variable(key)
        guard !(RequestOverrides.areMade && FeatureContext.current?.hasOverrides == true) else {
            return features.evaluated(key, default: `default`, layers, nil, for: nil, isHandle: true)
        }
        if let known, known.generation == layers.generation, let place = known.place {
            return features.evaluated(key, default: `default`, layers, place, for: nil, isHandle: true)
        }
        switch layers.glance(at: key, counts: false) {
        case .value(let json): return remember(json, known, key, layers)
        case .missing: return features.evaluated(key, default: `default`, layers, nil, for: nil, isHandle: true)
        case .undecided(_, let place):
            remembered.exchange(RememberedVariable(layers.generation, nil, nil, place))
            return features.evaluated(key, default: `default`, layers, place, for: nil, isHandle: true)
        }
    }

    // A separate function, because it requests the type's layout from the runtime.
    @inline(never)
    private func remember(
        _ json: JSONValue, _ known: RememberedVariable?, _ key: FeatureKey, _ layers: FeatureLayers
    ) -> Value {
        // Most changes concern other variables.
        let isKnown = known?.json?.isExactly(json) ?? false
        let old = isKnown ? known.map { unsafeDowncast($0, to: RememberedValue<Value>.self).value } : nil
        let found = Evaluator.open(features.store, features.experiments, layers, for: nil, isHandle: true) {
            old ?? $0.value(of: key, as: Value.self)
        }
        guard let value = found else { return `default` }
        let new = RememberedValue(value, json, in: layers, of: self.key.feature)
        new.usage?.count(.static)
        remembered.exchange(new)
        return value
    }
}
