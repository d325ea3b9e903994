extension FeatureReader {
    /// The value of a variable, decrypted.
    struct Plain: Equatable {
        let value: JSONValue
        /// Whether it was encrypted, so that no message may quote it.
        let isSecret: Bool
    }

    /// A variable's value; nil if no source has it, or if it cannot be decrypted, which is logged.
    func value(_ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?) -> Plain? {
        guard let candidate = candidate(key, in: layers, for: context) else { return nil }
        do throws(FeatureError) {
            return try plain(candidate, key)
        } catch {
            report(error, of: key)
            return nil
        }
    }

    /// A whole feature; nil if no source has it.
    func values(
        of feature: String, in layers: FeatureLayers, for context: FeatureContext?
    ) -> FeatureValues? {
        var variables: [String: JSONValue] = [:]
        for variable in names(of: feature, in: layers, for: context) {
            if let plain = value(VariableKey(feature, variable), in: layers, for: context) {
                variables[variable] = plain.value
            }
        }
        guard layers.has(feature) || !variables.isEmpty else { return nil }
        return FeatureValues(isEnabled: layers.isEnabled(feature), variables: variables)
    }

    /// A whole feature as a type.
    func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type, in layers: FeatureLayers, for context: FeatureContext?
    ) throws(FeatureError) -> Value {
        var members: [JSONObject.Member] = []
        var secrets: Set<String> = []
        var failures: [String: FeatureError] = [:]
        for variable in names(of: feature, in: layers, for: context) {
            let key = VariableKey(feature, variable)
            guard let candidate = candidate(key, in: layers, for: context) else { continue }
            do throws(FeatureError) {
                let plain = try plain(candidate, key)
                members.append((variable, plain.value))
                if plain.isSecret { secrets.insert(variable) }
            } catch {
                failures[variable] = error
            }
        }
        guard layers.has(feature) || !members.isEmpty || !failures.isEmpty else {
            throw FeatureError(.notFound, place: feature, reason: "no source has this feature")
        }
        let value = JSONValue.object(JSONObject(unique: members))
        do {
            let decoded = try VariableDecoder.decode(type, from: value)
            // The type did without them, or does not want them.
            for (variable, failure) in failures { report(failure, of: VariableKey(feature, variable)) }
            return decoded
        } catch {
            // What could not be decrypted is missing to the type.
            if case .keyNotFound(let name, let context)? = error as? DecodingError, context.codingPath.isEmpty,
                let failure = failures[name.stringValue]
            {
                throw failure
            }
            throw FeatureError(error, of: feature, value: value, secrets: secrets, type)
        }
    }

    /// The variables of any source; with a context also those of experiments alone.
    private func names(of feature: String, in layers: FeatureLayers, for context: FeatureContext?) -> [String] {
        let names = layers.variables(of: feature)
        guard context != nil else { return names }
        let overridden = layers.experiments.variables(of: feature)
        return overridden.isEmpty ? names : (names + overridden).sortedUnique
    }
}
