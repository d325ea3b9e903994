extension FeatureError {
    /// Creates the error of a value that cannot be read as a type.
    /// - Parameters:
    ///   - error: The error of ``JSONValue/decoded(as:)``.
    ///   - place: The name of the feature or variable.
    ///   - type: The type.
    ///   - isSecret: Whether the value was encrypted; then the decoder's message is left out, because it may quote the
    ///     value.
    init(_ error: any Error, place: String, _ type: any Decodable.Type, isSecret: Bool = false) {
        if let mismatch = error as? TypeMismatch {
            self.init(mismatch: mismatch, place: place)
            return
        }
        guard !isSecret else {
            self.init(.notDecodable, place: place, reason: "it was decrypted, but cannot be read as \(type)")
            return
        }
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?:
            self.init(.wrongType, place: place + context.path, reason: context.debugDescription)
        case .keyNotFound(let key, let context)?:
            self.init(.notDecodable, place: place + context.path, reason: "\(key.stringValue.excerpt) is missing")
        case .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            self.init(.notDecodable, place: place + context.path, reason: context.debugDescription)
        default: self.init(.notDecodable, place: place, reason: "\(error)")
        }
    }

    /// Creates the error of a whole feature that cannot be read as a type, without its secrets.
    /// - Parameters:
    ///   - error: The error of ``JSONValue/decoded(as:)``.
    ///   - feature: The feature's name.
    ///   - type: The type.
    ///   - secrets: The variables that were encrypted.
    init(_ error: any Error, of feature: String, _ type: any Decodable.Type, secrets: Set<String>) {
        let variable = (error as? DecodingError)?.member
        // If the error is not about one variable, it may quote any of them.
        let isSecret = variable.map(secrets.contains) ?? !secrets.isEmpty
        let place = isSecret ? feature + (variable.map { ".\($0)" } ?? "") : feature
        self.init(error, place: place, type, isSecret: isSecret)
    }
}

extension DecodingError {
    /// The missing or invalid member of the whole value; nil if the error is about the whole value.
    var member: String? {
        switch self {
        case .keyNotFound(let key, let context): (context.codingPath + [key]).first?.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue
        @unknown default: nil
        }
    }
}

extension DecodingError.Context {
    /// The path in the form of places: `.hosts[2]`.
    fileprivate var path: String {
        codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}
