extension FeatureError {
    /// Tells what a decoder found.
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
            self.init(
                .wrongType(expected: expected, found: found), place: place + context.path,
                reason: "expected \(expected), found \(found)")
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(.notDecodable, place: place + context.path, reason: context.debugDescription)
        @unknown default: self.init(.notDecodable, place: place, reason: "\(error)")
        }
    }
}

extension DecodingError.Context {
    /// The path as places are written: `.hosts[2]`.
    fileprivate var path: String {
        codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}
