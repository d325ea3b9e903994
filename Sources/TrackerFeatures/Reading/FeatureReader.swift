/// Reads variables as types, decrypts them, and says once for each what is wrong with it.
package final class FeatureReader: Sendable {
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
        guard let finding = finding(key, in: layers, for: context) else { return `default` }
        if !finding.content.isEncrypted, let value = convert(finding.content.value) { return value }
        return reading(finding, key, default: `default`).value
    }

    func reading<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?, default: Value
    ) -> VariableReading<Value> {
        guard let finding = finding(key, in: layers, for: context) else {
            return VariableReading(value: `default`, source: .fallback, error: Self.notFound(key))
        }
        return reading(finding, key, default: `default`)
    }

    private func reading<Value: Decodable>(
        _ finding: Finding, _ key: VariableKey, default: Value
    ) -> VariableReading<Value> {
        do throws(FeatureError) {
            return VariableReading(value: try decode(try plain(finding, key), key), source: finding.source, error: nil)
        } catch {
            report(error, of: key)
            return VariableReading(value: `default`, source: .fallback, error: error)
        }
    }

    func require<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?, as type: Value.Type = Value.self
    ) throws(FeatureError) -> (value: Value, source: FeatureSource) {
        guard let finding = finding(key, in: layers, for: context) else { throw Self.notFound(key) }
        return (try decode(try plain(finding, key), key), finding.source)
    }

    package func explain(
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
    func plain(_ finding: Finding, _ key: VariableKey) throws(FeatureError) -> Plain {
        guard finding.content.isEncrypted else { return Plain(value: finding.content.value, isSecret: false) }
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
            let value = try decrypt(
                EncryptedVariable(feature: key.feature, variable: key.variable, ciphertext: ciphertext))
            return Plain(value: value, isSecret: true)
        } catch {
            throw FeatureError(.decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)")
        }
    }

    private static func notFound(_ key: VariableKey) -> FeatureError {
        FeatureError(.notFound, place: "\(key)", reason: "nobody has this variable")
    }

    private func decode<Value: Decodable>(_ plain: Plain, _ key: VariableKey) throws(FeatureError) -> Value {
        do {
            return try VariableDecoder.decode(Value.self, from: plain.value)
        } catch {
            throw plain.isSecret
                ? FeatureError(secret: plain.value, at: "\(key)", Value.self)
                : FeatureError(error, place: "\(key)", value: plain.value)
        }
    }

    /// A value as a type; nil where it is of another one, which is logged.
    func converted<Value: Decodable>(_ plain: Plain, _ key: VariableKey) -> Value? {
        do throws(FeatureError) {
            return try decode(plain, key)
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
        if isNews { log.warning("\(error)") }
    }
}
