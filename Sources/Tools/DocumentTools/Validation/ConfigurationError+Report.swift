package import TrackerConfig

extension ConfigurationError {
    /// The error or warning in the format of a compiler: "trackers.json:3:9: error: features: expected an object".
    /// - Parameters:
    ///   - file: The file's name.
    ///   - kind: "error" or "warning".
    /// - Returns: One line.
    package func line(_ file: String, _ kind: String) -> String {
        let position = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file.printable)\(position): \(kind): \(sentence)"
    }

    /// The place and the reason, without the position.
    package var sentence: String { ((place.isEmpty ? "" : "\(place): ") + reason).printable }

    package var json: JSONValue {
        [
            "place": .string(place), "line": position.map { .int($0.line) } ?? .null,
            "column": position.map { .int($0.column) } ?? .null, "reason": .string(reason),
        ]
    }
}
