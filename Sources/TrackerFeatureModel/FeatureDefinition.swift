/// A feature as a document defines it: whether it is on, and the variables that it consists of.
///
/// ```json
/// "checkout": { "enabled": true, "variables": { "retryLimit": { "value": 3 } } }
/// ```
public struct FeatureDefinition: Sendable, Hashable {
    /// The feature's key in the document's `features`.
    public let name: String

    /// Whether the feature is on; nil by default, which says nothing and leaves it to whoever is asked next.
    public let isEnabled: Bool?

    /// The feature's variables in the document's order, each name once; none by default.
    public let variables: [VariableDefinition]

    /// Defines a feature.
    /// - Parameters:
    ///   - name: Its name.
    ///   - isEnabled: Whether it is on; nil, which is built in, says nothing.
    ///   - variables: Its variables, each name once; none by default.
    public init(name: String, isEnabled: Bool? = nil, variables: [VariableDefinition] = []) {
        self.name = name
        self.isEnabled = isEnabled
        self.variables = variables
    }
}
