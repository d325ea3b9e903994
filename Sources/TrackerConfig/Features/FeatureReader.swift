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
        let value = try plain(finding, key)
        return (try decode(type, from: value, of: key, isSecret: finding.content.isEncrypted), finding.source)
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
    func plain(_ finding: Finding, _ key: VariableKey) throws(FeatureError) -> JSONValue {
        guard finding.content.isEncrypted else { return finding.content.value }
        guard let decrypt = finding.decrypt else {
            throw FeatureError(
                .encrypted, place: "\(key)", reason: "it is encrypted, and there is no closure to decrypt it with")
        }
        guard let ciphertext = finding.content.value.string else {
            throw FeatureError(
                .decryptionFailed, place: "\(key)",
                reason: "it is encrypted, but its value is \(finding.content.value.kind) and no text")
        }
        do {
            return try decrypt(
                EncryptedVariable(feature: key.feature, variable: key.variable, ciphertext: ciphertext))
        } catch {
            throw FeatureError(.decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)")
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, of key: VariableKey, isSecret: Bool
    ) throws(FeatureError) -> Value {
        do {
            return try VariableDecoder.decode(type, from: value)
        } catch {
            throw isSecret
                ? FeatureError(secret: value, at: "\(key)", type) : FeatureError(error, place: "\(key)", value: value)
        }
    }

    /// A value as a type; nil where it is of another one, which is logged.
    func converted<Value: Decodable>(_ plain: Plain, _ key: VariableKey) -> Value? {
        do throws(FeatureError) {
            return try decode(Value.self, from: plain.value, of: key, isSecret: plain.isSecret)
        } catch {
            report(error, of: key)
            return nil
        }
    }

    func report(_ error: FeatureError, of key: VariableKey) {
        // In a forked child the lock may be held by a thread that does not exist there.
        guard experiments.forkGuard.isOwnProcess else { return }
        let isNews = reported.withLock { reported in
            reported.count < Self.mostReported && reported.insert(key).inserted
        }
        if isNews { log.error("\(error)") }
    }
}
