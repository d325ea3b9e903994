extension FeatureContext {
    /// The value of an attribute: of ``attributes``, else the id of a unit, else the country or the language.
    func attribute(_ name: String) -> JSONValue? {
        if let value = attributes[name] { return value }
        if let id = units[name] { return .string(id) }
        switch name {
        case "country": return country.map(JSONValue.string)
        case "language": return language.map(JSONValue.string)
        default: return nil
        }
    }
}
