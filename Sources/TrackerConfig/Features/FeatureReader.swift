/// Reads variables as types, decrypts them, and says once for each what is wrong with it.
final class FeatureReader: Sendable {
    // A service that makes names up at each read must not fill the memory.
    private static let mostReported = 10_000

    let experiments: Experiments
    private let log: Log
    private let reported = Locked<Set<VariableKey>>([])

    init(experiments: Experiments, log: Log) {
        self.experiments = experiments
        self.log = log
    }

    /// The quick way to a value: what it finds at once it converts, all else goes the long way.
    func value<Value>(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?, default: Value,
        _ convert: (JSONValue) -> Value?
    ) -> Value where Value: Decodable {
        if context == nil || layers.experiments.isEmpty {
            guard let content = layers.content(key) else { return `default` }
            if !content.isEncrypted, let value = convert(content.value) { return value }
        }
        return reading(key, in: layers, for: context, default: `default`).value
    }

    func reading<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?, default: Value
    ) -> VariableReading<Value> {
        do throws(FeatureError) {
            let (value, source) = try require(key, in: layers, for: context, as: Value.self)
            return VariableReading(value: value, source: source, error: nil)
        } catch {
            if error.code != .notFound { report(error, of: key) }
            return VariableReading(value: `default`, source: .fallback, error: error)
        }
    }

    func require<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?, as type: Value.Type = Value.self
    ) throws(FeatureError) -> (value: Value, source: FeatureSource) {
        guard let finding = finding(key, in: layers, for: context) else {
            throw FeatureError(.notFound, place: "\(key)", reason: "nobody has this variable")
        }
        return (try decode(type, from: try plain(finding, key), at: "\(key)"), finding.source)
    }

    func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type, in layers: FeatureLayers, for context: EvaluationContext?
    ) throws(FeatureError) -> Value {
        guard layers.has(feature) else {
            throw FeatureError(.notFound, place: feature, reason: "nobody has this feature")
        }
        var members: [JSONObject.Member] = []
        var failure: FeatureError?
        for variable in layers.variables(of: feature) {
            let key = VariableKey(feature, variable)
            guard let finding = finding(key, in: layers, for: context) else { continue }
            do throws(FeatureError) {
                members.append((variable, try plain(finding, key)))
            } catch {
                // The type may not want this one; where it does, this is why it is missing.
                failure = failure ?? error
            }
        }
        do throws(FeatureError) {
            return try decode(type, from: .object(JSONObject(unique: members)), at: feature)
        } catch {
            throw failure ?? error
        }
    }

    func values(
        of feature: String, in layers: FeatureLayers, for context: EvaluationContext?
    ) -> FeatureValues? {
        guard layers.has(feature) else { return nil }
        var variables: [String: JSONValue] = [:]
        for variable in layers.variables(of: feature) {
            let key = VariableKey(feature, variable)
            if let value = value(key, in: layers, for: context) { variables[variable] = value }
        }
        return FeatureValues(isEnabled: layers.isEnabled(feature), variables: variables)
    }

    /// A variable as it is; nil where nobody has it, or where it cannot be decrypted, which is logged.
    func value(_ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?) -> JSONValue? {
        guard let finding = finding(key, in: layers, for: context) else { return nil }
        do throws(FeatureError) {
            return try plain(finding, key)
        } catch {
            report(error, of: key)
            return nil
        }
    }

    func explain(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?
    ) -> VariableExplanation? {
        let candidates = findings(key, in: layers, for: context).map { finding in
            let content = finding.content
            return VariableExplanation.Candidate(
                value: content.isEncrypted ? JSONValue?.none : content.value, source: finding.source,
                isEncrypted: content.isEncrypted)
        }
        guard let winner = candidates.first else { return nil }
        return VariableExplanation(winner: winner, overridden: Array(candidates.dropFirst()))
    }

    /// What a variable really says.
    private func plain(_ finding: Finding, _ key: VariableKey) throws(FeatureError) -> JSONValue {
        guard finding.content.isEncrypted else { return finding.content.value }
        guard let decrypt = finding.decrypt, let ciphertext = finding.content.value.string else {
            throw FeatureError(
                .encrypted, place: "\(key)", reason: "it is encrypted, and there is no closure to decrypt it with")
        }
        do {
            return try decrypt(
                EncryptedVariable(feature: key.feature, variable: key.variable, ciphertext: ciphertext))
        } catch {
            throw FeatureError(.decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)")
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at place: String
    ) throws(FeatureError) -> Value {
        do {
            return try VariableDecoder.decode(type, from: value)
        } catch {
            throw FeatureError(error, place: place, value: value)
        }
    }

    /// A value as a type; nil where it is of another one, which is logged.
    func converted<Value: Decodable>(_ value: JSONValue, _ key: VariableKey) -> Value? {
        do throws(FeatureError) {
            return try decode(Value.self, from: value, at: "\(key)")
        } catch {
            report(error, of: key)
            return nil
        }
    }

    private func report(_ error: FeatureError, of key: VariableKey) {
        let isNews = reported.withLock { reported in
            reported.count < Self.mostReported && reported.insert(key).inserted
        }
        if isNews { log.error("\(error)") }
    }
}
