package import TrackerConfig

/// What is wrong or odd at one place of a document.
package struct Finding {
    /// The check that reports it.
    package enum Judge: String {
        /// The SDK's reader of documents, which is what a service uses.
        case decoder
        /// The JSON Schema.
        case schema
        /// A service, when it applies the document.
        case service
        /// Advice: nothing is wrong, but something else may have been meant.
        case advice
        /// The reader of an older system's file.
        case importer
        /// The generator of accessors.
        case generator
        /// The generated accessors that code reads the document with.
        case accessors
    }

    /// The path of keys; empty for the whole.
    package let place: String
    package let reason: String
    package let position: TextPosition?
    package let judge: Judge

    package init(place: String, reason: String, position: TextPosition?, judge: Judge) {
        (self.place, self.reason, self.position, self.judge) = (place, reason, position, judge)
    }

    package var json: JSONValue {
        [
            "place": .string(place), "line": position.map { .int($0.line) } ?? .null,
            "column": position.map { .int($0.column) } ?? .null, "reason": .string(reason),
            "by": .string(judge.rawValue),
        ]
    }

    /// The place and the reason, without the position.
    package var sentence: String { ((place.isEmpty ? "" : "\(place): ") + reason).printable }

    /// The finding as compilers write theirs.
    package func line(_ file: String, _ kind: String) -> String {
        let position = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(position): \(kind): \(sentence)\(judge == .schema ? " [schema]" : "")"
    }
}

extension Finding {
    package init(_ warning: ConfigurationError, by judge: Judge) {
        self.init(place: warning.place, reason: warning.reason, position: warning.position, judge: judge)
    }
}
