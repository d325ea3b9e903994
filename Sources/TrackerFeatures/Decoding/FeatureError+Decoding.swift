extension FeatureError {
    /// Describes what a decoder found.
    /// - Parameters:
    ///   - error: What it threw.
    ///   - place: What was read.
    ///   - value: The whole value.
    init(_ error: any Error, place: String, value: JSONValue) {
        guard let error = error as? DecodingError else {
            self.init(.notDecodable, place: place, reason: "\(error)")
            return
        }
        switch error {
        case .typeMismatch(_, let context):
            // The decoder's own sentence: `expected an integer, found a string`.
            let words = context.debugDescription.split(separator: ", found ", maxSplits: 1).map(String.init)
            let expected = words[0].hasPrefix("expected ") ? String(words[0].dropFirst(9)) : words[0]
            let found = words.count > 1 ? words[1] : value.kind
            self.init(mismatch: TypeMismatch(expected: expected, found: found), place: place + context.path)
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(.notDecodable, place: place + context.path, reason: context.debugDescription)
        @unknown default: self.init(.notDecodable, place: place, reason: "\(error)")
        }
    }
}

extension FeatureError {
    /// Reports that a secret cannot be read as a type, in words that are not the decoder's: those may quote the value.
    /// - Parameters:
    ///   - value: The whole value, decrypted.
    ///   - place: What was read.
    ///   - type: The type.
    init(secret value: JSONValue, at place: String, _ type: any Decodable.Type) {
        if let known = type as? any VariableConvertible.Type {
            self.init(
                mismatch: TypeMismatch(expected: known.expectedVariable, found: value.kind), place: place)
        } else {
            self.init(.notDecodable, place: place, reason: "it was decrypted, but cannot be read as \(type)")
        }
    }

    /// Describes what a decoder found in a whole feature, without what its secrets say.
    /// - Parameters:
    ///   - error: What it threw.
    ///   - feature: The feature's name.
    ///   - value: The feature, decrypted.
    ///   - secrets: The variables that were decrypted.
    ///   - type: The type that it was read as.
    init(_ error: any Error, of feature: String, value: JSONValue, secrets: Set<String>, _ type: any Decodable.Type) {
        guard !secrets.isEmpty else {
            self.init(error, place: feature, value: value)
            return
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)? where context.codingPath.isEmpty:
            self.init(.notDecodable, place: feature, reason: "\(key.stringValue.excerpt) is missing")
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .keyNotFound(_, let context)?,
            .dataCorrupted(let context)?:
            if let variable = context.codingPath.first?.stringValue {
                if secrets.contains(variable) {
                    self.init(
                        .notDecodable, place: "\(feature).\(variable)",
                        reason: "it was decrypted, but cannot be read as \(type)")
                } else {
                    self.init(error, place: feature, value: value)
                }
                return
            }
            fallthrough
        default:
            // The error concerns several variables, and may quote any of them.
            self.init(
                .notDecodable, place: feature,
                reason: "cannot be decoded as \(type); details are withheld because a value was encrypted")
        }
    }
}

extension JSONValue {
    /// Why the value cannot be read as a type, in the words of a failing read; nil if it can.
    package func fault<Value: Decodable>(readAs type: Value.Type) -> String? {
        do {
            _ = try VariableDecoder.decode(type, from: self)
            return nil
        } catch {
            return FeatureError(error, place: "", value: self).reason
        }
    }
}

extension DecodingError.Context {
    /// The path as places are written: `.hosts[2]`.
    fileprivate var path: String {
        codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}
