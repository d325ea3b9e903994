import TrackerCore

/// What is wrong or odd at one place of a document.
struct Finding {
    /// Who says it.
    enum Judge: String {
        /// The SDK's reader of documents, which is what a service uses.
        case decoder
        /// The JSON Schema.
        case schema
        /// A service, when it applies the document.
        case service
        /// The reader of an older system's file.
        case importer
        /// The generator of accessors.
        case generator
    }

    /// The path of keys; empty for the whole.
    let place: String
    let reason: String
    let position: TextPosition?
    let judge: Judge

    var json: JSONValue {
        [
            "place": .string(place), "line": position.map { .int($0.line) } ?? .null,
            "column": position.map { .int($0.column) } ?? .null, "reason": .string(reason),
            "by": .string(judge.rawValue),
        ]
    }

    /// The place and the reason, without the position.
    var sentence: String { ((place.isEmpty ? "" : "\(place): ") + reason).printable }

    /// The finding as compilers write theirs.
    func line(_ file: String, _ kind: String) -> String {
        let position = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(position): \(kind): \(sentence)\(judge == .schema ? " [schema]" : "")"
    }
}

extension Finding {
    init(_ warning: ConfigurationWarning, by judge: Judge) {
        self.init(place: warning.place, reason: warning.reason, position: warning.position, judge: judge)
    }
}
