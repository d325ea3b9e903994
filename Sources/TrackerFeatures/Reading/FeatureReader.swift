import Synchronization

/// Reads variables as types, decrypts them, and logs the first problem of each.
package final class FeatureReader: Sendable {
    /// How experiments find the reader, which holds them.
    struct Link: Sendable {
        weak var reader: FeatureReader?
    }

    let experiments: Experiments
    private let log: Log
    /// Values that could not be read as the type that was asked for, could not be decrypted, or were refused.
    package let failures = MissCounter()
    /// Names of features, variables, experiments and variants that no source has.
    package let unknownNames = MissCounter()
    private let isStale = Atomic(false)

    init(experiments: Experiments, log: Log) {
        self.experiments = experiments
        self.log = log
    }

    /// Logs problems of a new document anew.
    func forgetReported() {
        failures.forget(logsAnew: true)
        unknownNames.forget(logsAnew: false)
    }

    /// Reads a value. One that is not encrypted is converted without a decoder if possible.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func value<Value: Decodable>(
        _ key: VariableKey, _ request: Request, _ decided: DecidedKey? = nil, default: Value
    ) -> Value {
        var found: Value?
        resolve(.variable(key), request, decided) { candidate in
            found = read(candidate, .variable(key), as: Value.self)
            return found == nil ? .passed : .taken
        }
        return found ?? `default`
    }

    /// Reads a value with its source and reason.
    func detail<Value: Decodable>(
        _ key: FeatureKey, _ request: Request, default: Value
    ) -> EvaluationDetail<Value> {
        ReadBudget.open { budget in
            var request = request
            request.budget = budget
            return detail(key, request, budget, default: `default`)
        }
    }

    private func detail<Value: Decodable>(
        _ key: FeatureKey, _ request: Request, _ budget: ReadBudget, default: Value
    ) -> EvaluationDetail<Value> {
        func refusal() -> FeatureError? { budget.fault.map { FeatureError($0, place: "\(key)") } }
        var (found, error): (EvaluationDetail<Value>?, FeatureError?)
        let metadata = request.layers.metadata(of: key.feature)
        let isDisabled = resolve(key, request) { candidate in
            var fault: FeatureError?
            guard let value = read(candidate, key, as: Value.self, { fault = $0 }) else {
                if error == nil { error = fault }
                return .passed
            }
            if error == nil { error = refusal() }
            found = EvaluationDetail(
                value: value, source: candidate.source, reason: error == nil ? reason(for: candidate) : .error,
                rule: candidate.rule, error: error, metadata: metadata)
            return .taken
        }
        if let found { return found }
        if error == nil { error = refusal() }
        return EvaluationDetail(
            value: `default`, source: .fallback, reason: error != nil ? .error : isDisabled ? .disabled : .default,
            error: error ?? Self.notFound(key, isDisabled), metadata: metadata)
    }

    /// Notes whether the remote document may be out of date.
    package func markStale(_ isStale: Bool) {
        self.isStale.store(isStale, ordering: .relaxed)
    }

    /// The reason for a value, which is another one while the document is stale.
    package func reason(for candidate: Candidate) -> EvaluationReason {
        candidate.rank == .remote && isStale.load(ordering: .relaxed) ? .stale : candidate.reason
    }

    /// Reads a value without a default.
    /// - Throws: Why the highest source's value cannot be read, if no lower one's can be either.
    func require<Value: Decodable>(_ key: VariableKey, _ request: Request) throws(FeatureError) -> Value {
        try ReadBudget.open { budget throws(FeatureError) in
            var request = request
            request.budget = budget
            return try require(key, request, budget)
        }
    }

    private func require<Value: Decodable>(
        _ key: VariableKey, _ request: Request, _ budget: ReadBudget
    ) throws(FeatureError) -> Value {
        var (found, error): (Value?, FeatureError?)
        let isDisabled = resolve(.variable(key), request) { candidate in
            found = read(candidate, .variable(key), as: Value.self) { if error == nil { error = $0 } }
            return found == nil ? .passed : .taken
        }
        if let found { return found }
        throw error ?? budget.fault.map { FeatureError($0, place: "\(key)") }
            ?? Self.notFound(.variable(key), isDisabled)
    }

    /// Decrypts and decodes a candidate.
    /// - Parameters:
    ///   - candidate: The candidate.
    ///   - key: The variable, or whether a feature is enabled.
    ///   - type: The type.
    ///   - fail: Called with the error if it is of another type or cannot be decrypted, which is counted and logged.
    /// - Returns: The value; nil if it cannot be read.
    func read<Value: Decodable>(
        _ candidate: Candidate, _ key: FeatureKey, as type: Value.Type, _ fail: (FeatureError) -> Void = { _ in }
    ) -> Value? {
        if !candidate.content.isEncrypted, let value = candidate.content.value.converted(to: Value.self) {
            return value
        }
        do throws(FeatureError) {
            // Not as an optional, which errors would name.
            let value: Value = try decode(try plain(candidate, key), key)
            return value
        } catch {
            report(error, of: key)
            fail(error)
            return nil
        }
    }

    /// Why a candidate cannot be read as a type; nil if it can. Counts and logs nothing.
    func problem<Value: Decodable>(_ candidate: Candidate, _ key: FeatureKey, as type: Value.Type) -> FeatureError? {
        if !candidate.content.isEncrypted, candidate.content.value.converted(to: Value.self) != nil { return nil }
        do throws(FeatureError) {
            let _: Value = try decode(try plain(candidate, key), key)
            return nil
        } catch {
            return error
        }
    }

    /// A candidate's value, decrypted.
    func plain(_ candidate: Candidate, _ key: FeatureKey) throws(FeatureError) -> Plain {
        guard candidate.content.isEncrypted else { return Plain(value: candidate.content.value, isSecret: false) }
        guard let decrypt = candidate.decrypt else {
            throw FeatureError(
                .encrypted, place: "\(key)", reason: "it is encrypted, and there is no closure to decrypt it with")
        }
        guard let ciphertext = candidate.content.value.string else {
            throw FeatureError(
                .decryptionFailed, place: "\(key)",
                reason: "it is encrypted, but its value is \(candidate.content.value.kind) and no text")
        }
        do {
            return Plain(value: try decrypt(ciphertext, "\(key)"), isSecret: true)
        } catch {
            throw FeatureError(
                .decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)", cause: error)
        }
    }

    private static func notFound(_ key: FeatureKey, _ isDisabled: Bool) -> FeatureError {
        if isDisabled { return FeatureError(.notFound, place: "\(key)", reason: "the feature is disabled") }
        return switch key {
        case .variable: FeatureError(.notFound, place: "\(key)", reason: "no source has this variable")
        case .enabled(let feature):
            FeatureError(.notFound, place: feature, reason: "no source says whether this feature is enabled")
        }
    }

    private func decode<Value: Decodable>(_ plain: Plain, _ key: FeatureKey) throws(FeatureError) -> Value {
        do {
            return try plain.value.decoded(as: Value.self)
        } catch {
            throw FeatureError(error, place: "\(key)", Value.self, isSecret: plain.isSecret)
        }
    }

    /// A value as a type; nil if it is of another type, which is logged.
    func converted<Value: Decodable>(_ plain: Plain, _ key: FeatureKey) -> Value? {
        do throws(FeatureError) {
            return try decode(plain, key)
        } catch {
            report(error, of: key)
            return nil
        }
    }

    /// Counts that a value cannot be read, and logs the first time for each key and document.
    func report(_ error: FeatureError, of key: FeatureKey) {
        failures.count(
            "\(key)", log, "\(error)",
            text: error.mismatch.map { "\(error.place) cannot be read as \($0.expected): it is \($0.found)" }
                ?? "\(error.place) cannot be read: \(error.reason)")
    }

    /// Counts a read of a name that no source has, and logs the first of each name.
    ///
    /// A feature that is known may leave open whether it is enabled. Before anything is applied there is nothing to compare
    /// a name with.
    @inline(never)
    func noteMiss(of key: FeatureKey, in layers: FeatureLayers) {
        guard layers.isComparable else { return }
        if layers.has(key.feature) {
            guard case .variable(let variable) = key, !layers.hasVariable(variable) else { return }
            unknownNames.count("\(key)", log, "\(key): no source has this variable; the default of the code is used")
        } else {
            unknownNames.count(
                key.feature, log,
                "\(key.feature): no source has this feature; the default of the code is used")
        }
    }
}
