import Synchronization

/// What the copies of a ``Variable`` share: the variable's name and the value that was decoded last.
final class VariableHandle<Value: Decodable & Sendable>: Sendable {
    /// A value with what it was made of.
    private final class Reading: Sendable {
        /// The value for all contexts that no rule or experiment gives another one.
        let value: Value
        /// What the value was made of; nil if it cannot be compared, or if no source has the variable.
        let content: VariableContent?
        let kind: VariableHandleKind
        /// Whether contexts may have overrides of their own.
        let requestsOverride: Bool
        /// Whether the value is the same for all contexts.
        let isPlain: Bool
        /// The rules, if these and the context alone decide, and the value that each gives.
        let rules: RuleList?
        let ruleValues: [Value]
        /// The generation of the latest snapshot that is known to have this content.
        let generation: Atomic<UInt64>

        init(
            _ value: Value, of content: VariableContent?, _ kind: VariableHandleKind, requestsOverride: Bool = false,
            rules: RuleList? = nil, ruleValues: [Value] = [], _ generation: UInt64
        ) {
            (self.value, self.content, self.kind) = (value, content, kind)
            (self.rules, self.ruleValues) = (rules, ruleValues)
            self.requestsOverride = requestsOverride
            isPlain = kind == .plain && !requestsOverride
            self.generation = Atomic(generation)
        }

        /// Whether the same value would be made of another content. An encrypted variable is decrypted after each change,
        /// and rules may have changed.
        func isMade(of other: VariableContent?, _ kind: VariableHandleKind, _ requestsOverride: Bool) -> Bool {
            guard kind == self.kind, kind != .rules, requestsOverride == self.requestsOverride else { return false }
            guard let content, let other else { return content == nil && other == nil }
            return !content.isEncrypted && !other.isEncrypted && content.value.isExactly(other.value)
        }

        /// Whether the value for a context follows from the remembered values.
        func decides(for scope: TrackingContext?) -> Bool {
            switch kind {
            case .plain, .rules: !requestsOverride || !Self.overrides(scope)
            case .experiments: scope == nil && !TrackingContext.isEvaluationBound
            case .unresolved: false
            }
        }

        /// Whether the context to read for has overrides.
        static func overrides(_ scope: TrackingContext?) -> Bool {
            let evaluation = if let scope { scope.evaluation } else { TrackingContext.current?.evaluation }
            return evaluation?.hasOverrides ?? false
        }

        /// The value that the rules give to a context. Written out, because generic code for optional values is slow.
        @inline(never)
        func ruledValue(for scope: TrackingContext?) -> Value {
            let index = if scope == nil { rules?.firstMatch(for: .current) } else { rules?.firstMatch(for: scope) }
            guard let index else { return value }
            return ruleValues[index]
        }
    }

    let features: Features
    let key: VariableKey
    private let reading: RCUReference<Reading>
    private let `default`: Value

    init(_ features: Features, _ key: VariableKey, default: Value) {
        self.features = features
        self.key = key
        self.default = `default`
        reading = RCUReference(Reading(`default`, of: nil, .plain, 0), in: features.store.domain)
    }

    /// Reads the variable.
    /// - Parameter scope: The context to read for; nil takes the one that is bound to the task.
    /// - Returns: The value.
    func value(in scope: TrackingContext?) -> Value {
        let latest = features.store.generation
        // Without counting a reference, which threads would contend for.
        return reading.read(
            where: { reading in
                reading.generation.load(ordering: .acquiring) == latest
                    && (reading.isPlain || reading.decides(for: scope))
            },
            { reading in
                if reading.kind == .rules { return reading.ruledValue(for: scope) }
                return reading.value
            }, else: { readAgain(in: scope) })
    }

    @inline(never)
    private func readAgain(in scope: TrackingContext?) -> Value {
        // Before the layers: if they change in between, the next read looks again.
        let latest = features.store.generation
        let layers = features.store.layers
        let isObserved = latest == FeatureStore.observedGeneration
        let decided = layers.decided(key)
        let isOverridden = layers.requestsOverride && Reading.overrides(scope)
        let kind = isObserved || isOverridden ? .unresolved : decided?.handleKind ?? .plain
        func value(for context: FeatureContext?) -> Value {
            let request = FeatureReader.Request(layers: layers, context: context, isHandle: true)
            return features.reader.value(key, request, decided, default: `default`)
        }
        if kind == .unresolved || kind == .experiments {
            if let scope, let context = scope.evaluation {
                // An exposure is about the scope's subject.
                return withTrackingContext(scope) { value(for: context) }
            }
            let context = scope == nil ? TrackingContext.current?.evaluation : nil
            if context != nil || kind == .unresolved { return value(for: context) }
        }
        let plain = layers.plain(.variable(key))[0]
        plain?.value.mark?.set()
        if plain == nil, kind == .plain { features.reader.noteMiss(of: .enabled(key.feature), in: layers) }
        // Most changes are of other variables.
        return reading.read(
            where: { $0.isMade(of: plain?.value, kind, layers.requestsOverride) },
            { reading in
                reading.generation.store(latest, ordering: .releasing)
                return reading.value
            },
            else: { read(layers, latest, plain?.value, kind, scope) })
    }

    private func read(
        _ layers: FeatureLayers, _ generation: UInt64, _ content: VariableContent?, _ kind: VariableHandleKind,
        _ scope: TrackingContext?
    ) -> Value {
        let request = FeatureReader.Request(layers: layers, context: nil, records: false)
        let result: Unmanaged<Reading>
        if kind == .rules {
            var rules: [CompiledRule] = []
            var values: [Value] = []
            var value: Value?
            features.reader.eachRule(of: key, request) { candidate, rule in
                guard let found = features.reader.read(candidate, .variable(key), as: Value.self) else {
                    return .passed
                }
                guard let rule else {
                    value = found
                    return .taken
                }
                rules.append(rule)
                values.append(found)
                return .passed
            }
            let list = RuleList(rules, counters: layers.counters[exactly: key.feature]) {
                [reader = features.reader, key] in
                reader.report(FeatureError($0, place: "\(key)"), of: .variable(key))
            }
            result = .passRetained(
                Reading(
                    value ?? `default`, of: nil, kind, requestsOverride: layers.requestsOverride, rules: list,
                    ruleValues: values, generation))
        } else {
            let detail = features.reader.detail(.variable(key), request, default: `default`)
            // A value that a lower source gave is not made of the highest source's content.
            result = .passRetained(
                Reading(
                    detail.value, of: detail.error == nil ? content : nil, kind,
                    requestsOverride: layers.requestsOverride, generation))
        }
        // Before another thread can replace it.
        let value = result._withUnsafeGuaranteedRef { reading in
            reading.kind == .rules ? reading.ruledValue(for: scope) : reading.value
        }
        reading.replaceAsReader(with: result)
        return value
    }
}
