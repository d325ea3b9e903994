extension FeatureContext {
    /// The unit of a name: its id is that of ``units``, else an attribute of that name that is a text or a number.
    /// - Returns: nil if the id is missing or empty.
    package func unit(_ name: String) -> ExperimentUnit? {
        if let id = units[name], !id.isEmpty { return ExperimentUnit(name: name, id: id) }
        if attributes.isEmpty { return nil }
        let id: String
        switch attributes[name] {
        case .string(let text)?: id = text
        case .int(let number)?: id = "\(number)"
        case .largeInteger(let number)?: id = number.digits
        case .double(let number)? where number.isFinite: id = Int(exactly: number).map { "\($0)" } ?? "\(number)"
        default: return nil
        }
        return id.isEmpty ? nil : ExperimentUnit(name: name, id: id)
    }
}
