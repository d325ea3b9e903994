/// Reads variables as types, decrypts them, and logs the first problem of each.
package final class FeatureReader: Sendable {
    // A service that makes names up at each read must not fill the memory.
    private static let maxReported = 10_000

    let experiments: Experiments
    private let log: Log
    private let reported = Locked<Set<VariableKey>>([])

    init(experiments: Experiments, log: Log) {
        self.experiments = experiments
        self.log = log
    }

    /// Reads a value. One that is not encrypted is converted without a decoder if possible.
    func value<Value>(
        _ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?, default: Value,
        _ convert: (JSONValue) -> Value?
    ) -> Value where Value: Decodable {
        guard let candidate = candidate(key, in: layers, for: context) else { return `default` }
        if !candidate.content.isEncrypted, let value = convert(candidate.content.value) { return value }
        return detail(candidate, key, default: `default`).value
    }

    func reading<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?, default: Value
    ) -> EvaluationDetail<Value> {
        guard let candidate = candidate(key, in: layers, for: context) else {
            return EvaluationDetail(value: `default`, source: .fallback, error: Self.notFound(key))
        }
        return detail(candidate, key, default: `default`)
    }

    /// Decrypts and decodes a candidate.
    func detail<Value: Decodable>(
        _ candidate: Candidate, _ key: VariableKey, default: Value
    ) -> EvaluationDetail<Value> {
        do throws(FeatureError) {
            return EvaluationDetail(
                value: try decode(try plain(candidate, key), key), source: candidate.source, error: nil)
        } catch {
            report(error, of: key)
            return EvaluationDetail(value: `default`, source: .fallback, error: error)
        }
    }

    func require<Value: Decodable>(
        _ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?, as type: Value.Type = Value.self
    ) throws(FeatureError) -> (value: Value, source: FeatureSource) {
        guard let candidate = candidate(key, in: layers, for: context) else { throw Self.notFound(key) }
        return (try decode(try plain(candidate, key), key), candidate.source)
    }

    package func explain(
        _ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?
    ) -> VariableExplanation? {
        let candidates = candidates(key, in: layers, for: context).map { candidate in
            let content = candidate.content
            return VariableExplanation.Candidate(
                value: content.isEncrypted ? JSONValue?.none : content.value, source: candidate.source,
                isEncrypted: content.isEncrypted)
        }
        guard let effective = candidates.first else { return nil }
        return VariableExplanation(effective: effective, overridden: Array(candidates.dropFirst()))
    }

    /// A candidate's value, decrypted.
    func plain(_ candidate: Candidate, _ key: VariableKey) throws(FeatureError) -> Plain {
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
            let value = try decrypt(
                EncryptedVariable(feature: key.feature, variable: key.variable, ciphertext: ciphertext))
            return Plain(value: value, isSecret: true)
        } catch {
            throw FeatureError(.decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)")
        }
    }

    private static func notFound(_ key: VariableKey) -> FeatureError {
        FeatureError(.notFound, place: "\(key)", reason: "no source has this variable")
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

    /// A value as a type; nil if it is of another type, which is logged.
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
            reported.count < Self.maxReported && reported.insert(key).inserted
        }
        if isNews { log.warning("\(error)") }
    }
}
