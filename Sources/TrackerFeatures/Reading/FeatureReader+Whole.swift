extension FeatureReader {
    /// The value of a variable, decrypted.
    struct Plain: Equatable {
        let value: JSONValue
        /// Whether it was encrypted, so that no message may quote it.
        let isSecret: Bool
    }

    /// A variable's value; nil if no source has it, or if it cannot be decrypted, which is logged.
    func value(_ key: VariableKey, _ request: Request) -> Plain? {
        var value: Plain?
        resolve(.variable(key), request) { candidate in
            do throws(FeatureError) {
                value = try plain(candidate, .variable(key))
            } catch {
                report(error, of: .variable(key))
            }
            return value == nil ? .passed : .taken
        }
        return value
    }

    /// A whole feature; nil if no source has it.
    func values(of feature: String, _ request: Request) -> FeatureValues? {
        var variables: [String: JSONValue] = [:]
        for variable in request.layers.variables(of: feature) {
            if let plain = value(VariableKey(feature, variable), request) { variables[variable] = plain.value }
        }
        guard request.layers.has(feature) || !variables.isEmpty else { return nil }
        return FeatureValues(isEnabled: isEnabled(feature, request), variables: variables)
    }

    /// A whole feature as a type.
    func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type, _ request: Request
    ) throws(FeatureError) -> Value {
        var members: [JSONObject.Member] = []
        var secrets: Set<String> = []
        var failures: [String: FeatureError] = [:]
        for variable in request.layers.variables(of: feature) {
            let key = FeatureKey.variable(VariableKey(feature, variable))
            resolve(key, request) { candidate in
                do throws(FeatureError) {
                    let plain = try plain(candidate, key)
                    members.append((variable, plain.value))
                    if plain.isSecret { secrets.insert(variable) }
                    return .taken
                } catch {
                    if failures[variable] == nil { failures[variable] = error }
                    return .passed
                }
            }
        }
        guard request.layers.has(feature) || !members.isEmpty || !failures.isEmpty else {
            throw FeatureError(.notFound, place: feature, reason: "no source has this feature")
        }
        let value = JSONValue.object(JSONObject(unique: members))
        do {
            let decoded = try VariableDecoder.decode(type, from: value)
            // The type did without them, or does not want them.
            for (variable, failure) in failures { report(failure, of: .variable(VariableKey(feature, variable))) }
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
}
