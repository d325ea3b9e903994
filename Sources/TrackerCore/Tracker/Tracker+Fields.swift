/// Settings by the names that documents have for them, for consoles and command lines.
extension Tracker {
    /// Explains every setting, by `section.field`.
    package func explanations() -> [(field: String, explanation: Explanation)] {
        let layers = state.withLock { $0.layers }
        return SectionTable.all.flatMap { section in
            section.explain(layers).map { ("\(section.name).\($0.field)", $0.explanation) }
        }
    }

    /// Explains one setting.
    package func explain(field: String) throws(ConfigurationError) -> Explanation {
        let name = try Self.split(field)
        let layers = state.withLock { $0.layers }
        guard let found = name.section.explain(layers).first(where: { $0.field == name.field }) else {
            throw Self.unknown(field)
        }
        return found.explanation
    }

    /// Changes a setting to a document's value; null clears it.
    package func set(field: String, to node: JSONNode) throws(ConfigurationError) {
        let name = try Self.split(field)
        let log = settingsLog
        var warnings: [String] = []
        defer { for warning in warnings { log.error("\(field): \(warning)") } }
        try change { (layers) throws(ConfigurationError) in
            do throws(FieldMismatch) {
                try name.section.set(name.field, node, &layers) { warnings.append($0) }
            } catch {
                throw ConfigurationError(.wrongType, place: field + error.path, reason: error.reason)
            }
        }
    }

    /// Forgets a setting's runtime value.
    package func reset(field: String) throws(ConfigurationError) {
        let name = try Self.split(field)
        try change { name.section.reset(name.field, &$0) }
    }

    private static func split(_ field: String) throws(ConfigurationError) -> (section: SectionTable, field: String) {
        let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let section = SectionTable.all.first(where: { $0.name == parts[0] }),
            let name = section.canonicalName(parts[1])
        else { throw unknown(field) }
        return (section, name)
    }

    private static func unknown(_ field: String) -> ConfigurationError {
        ConfigurationError(.unknownField, place: field, reason: "there is no such field")
    }
}
