extension Evaluator {
    /// The result of reading a key as a type.
    struct Reading<Value> {
        /// The value with its source; nil if no source has a value of the type.
        let found: (value: Value, candidate: Candidate)?
        /// The error of the unreadable value with the highest precedence, or of the read; nil if there is none.
        let error: FeatureError?
        let ending: Ending
    }

    /// Reads a key as a type; nil if no source has a value of the type.
    func value<Value: Decodable>(of key: FeatureKey, as type: Value.Type) -> Value? {
        resolve(key) { candidate -> Value? in
            do throws(FeatureError) {
                return try decode(candidate, key) as Value
            } catch {
                report(error, of: key)
                return nil
            }
        }.found
    }

    /// Reads a key as a type, with its source and its error.
    func read<Value: Decodable>(_ key: FeatureKey, as type: Value.Type) -> Reading<Value> {
        var error: FeatureError?
        let (found, ending) = resolve(key) { candidate -> (value: Value, candidate: Candidate)? in
            do throws(FeatureError) {
                return (try decode(candidate, key), candidate)
            } catch let fault {
                report(fault, of: key)
                if error == nil { error = fault }
                return nil
            }
        }
        let refusal = budget.fault.map { FeatureError($0, place: "\(key)") }
        return Reading(found: found, error: error ?? refusal, ending: ending)
    }

    /// Reads a value with its source and reason.
    func detail<Value: Decodable>(_ key: FeatureKey, default: Value) -> EvaluationDetail<Value> {
        let reading = read(key, as: Value.self)
        let metadata = layers.metadata(of: key.feature)
        if let (value, candidate) = reading.found {
            return EvaluationDetail(
                value: value, source: candidate.source, reason: reading.error == nil ? reason(for: candidate) : .error,
                rule: candidate.rule, error: reading.error, metadata: metadata)
        }
        let reason: EvaluationReason =
            reading.error != nil ? .error : reading.ending == .disabled ? .disabled : .default
        return EvaluationDetail(
            value: `default`, source: .fallback, reason: reason, error: reading.error ?? notFound(key, reading.ending),
            metadata: metadata)
    }

    /// Reads a value without a default.
    func require<Value: Decodable>(_ key: FeatureKey) throws(FeatureError) -> Value {
        let reading = read(key, as: Value.self)
        guard let found = reading.found else { throw reading.error ?? notFound(key, reading.ending) }
        return found.value
    }

    private func notFound(_ key: FeatureKey, _ ending: Ending) -> FeatureError {
        if ending == .disabled { return FeatureError(.notFound, place: "\(key)", reason: "the feature is disabled") }
        return key.variable == nil
            ? FeatureError(.notFound, place: key.feature, reason: "no source says whether this feature is enabled")
            : FeatureError(.notFound, place: "\(key)", reason: "no source has this variable")
    }

    /// The reason for a value, which is `stale` while the document is stale.
    package func reason(for candidate: Candidate) -> EvaluationReason {
        candidate.layer?.source.isRemote == true && store.isStale ? .stale : candidate.reason
    }

    /// The values of a whole feature; nil if no source has it.
    func values(of feature: String) -> FeatureValues? {
        let variables = variables(of: feature).values
        guard layers.has(feature) || !variables.isEmpty else {
            if records { store.noteMiss(of: .enabled(feature), in: layers) }
            return nil
        }
        let isEnabled = value(of: .enabled(feature), as: Bool.self)
        return FeatureValues(isEnabled: isEnabled, variables: variables)
    }

    /// The values of a feature's variables, the names of secrets, and the errors of variables that could not be
    /// decrypted.
    private func variables(
        of feature: String
    ) -> (values: [String: JSONValue], secrets: Set<String>, faults: [String: FeatureError]) {
        var (values, secrets, faults) = ([String: JSONValue](), Set<String>(), [String: FeatureError]())
        for variable in layers.variables(of: feature) {
            let key = FeatureKey.variable(VariableKey(feature, variable))
            values[variable] =
                resolve(key) { candidate -> JSONValue? in
                    do throws(FeatureError) {
                        let value = try decrypted(candidate, key)
                        if candidate.isEncrypted { secrets.insert(variable) }
                        return value
                    } catch {
                        report(error, of: key)
                        faults[variable] = error
                        return nil
                    }
                }.found
        }
        return (values, secrets, faults)
    }

    /// Reads a whole feature as a type.
    func feature<Value: Decodable>(_ feature: String, as type: Value.Type) throws(FeatureError) -> Value {
        let (variables, secrets, faults) = variables(of: feature)
        guard layers.has(feature) || !variables.isEmpty else {
            store.noteMiss(of: .enabled(feature), in: layers)
            throw FeatureError(.notFound, place: feature, reason: "no source has this feature")
        }
        let value = JSONValue.object(
            JSONObject(unique: variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        do {
            return try value.decoded(as: type)
        } catch {
            // For the type, a variable that could not be decrypted is missing.
            if case .keyNotFound(let name, _)? = error as? DecodingError, let fault = faults[name.stringValue] {
                throw fault
            }
            throw FeatureError(error, of: feature, type, secrets: secrets)
        }
    }

    /// Decrypts and decodes a value.
    private func decode<Value: Decodable>(_ candidate: Candidate, _ key: FeatureKey) throws(FeatureError) -> Value {
        if !candidate.isEncrypted, let value = candidate.value.converted(to: Value.self) { return value }
        let value = try decrypted(candidate, key)
        if NestedReads.areTooDeep { throw FeatureError(.nested, place: "\(key)") }
        do {
            return try NestedReads.call { try value.decoded(as: Value.self) }
        } catch {
            throw FeatureError(error, place: "\(key)", Value.self, isSecret: candidate.isEncrypted)
        }
    }

    /// Returns the decrypted value of a candidate.
    func decrypted(_ candidate: Candidate, _ key: FeatureKey) throws(FeatureError) -> JSONValue {
        guard candidate.isEncrypted else { return candidate.value }
        guard let decrypt = store.decrypt else {
            throw FeatureError(
                .encrypted, place: "\(key)", reason: "it is encrypted, and there is no closure to decrypt it with")
        }
        guard let ciphertext = candidate.value.string else {
            throw FeatureError(
                .decryptionFailed, place: "\(key)",
                reason: "it is encrypted, but its value is \(candidate.value.kind) and no text")
        }
        if NestedReads.areTooDeep { throw FeatureError(.nested, place: "\(key)") }
        do {
            return try NestedReads.call { try decrypt(ciphertext, "\(key)") }
        } catch {
            throw FeatureError(
                .decryptionFailed, place: "\(key)", reason: "it could not be decrypted: \(error)", cause: error)
        }
    }

    /// The decrypted value of a variable; nil if no source has one.
    func value(of key: VariableKey) -> JSONValue? {
        resolve(.variable(key)) { decryptedOrNil($0, .variable(key)) }.found
    }

    /// Returns the decrypted value of a candidate; if it cannot be decrypted, counts and logs the error and returns
    /// nil.
    func decryptedOrNil(_ candidate: Candidate, _ key: FeatureKey) -> JSONValue? {
        do throws(FeatureError) {
            return try decrypted(candidate, key)
        } catch {
            report(error, of: key)
            return nil
        }
    }

    /// The error of reading a value as a type; nil if it can be read. Nothing is counted or logged.
    func problem<Value: Decodable>(_ candidate: Candidate, _ key: FeatureKey, as type: Value.Type) -> FeatureError? {
        do throws(FeatureError) {
            let _: Value = try decode(candidate, key)
            return nil
        } catch { return error }
    }

    private func report(_ error: FeatureError, of key: FeatureKey) {
        if !isExplained { store.report(error, of: key) }
    }
}
