/// What rules and experiments of a document refer to.
package struct DocumentScope: Sendable {
    /// A variable that the document defines.
    struct Variable: Sendable {
        let kind: VariableKind
        let isEncrypted: Bool
    }

    /// The document's segments.
    var segments = Segments()

    /// The document's experiments by their ids.
    var experiments: [ExactText: Experiment] = [:]

    /// The names of the document's features; nil if names are not checked, because the features are elsewhere.
    private(set) var features: Set<ExactText>?

    private var variables: [VariableKey: Variable] = [:]

    /// Creates a scope in which names of features are not checked.
    package init() {}

    /// Creates the scope of a document's features. What is of the wrong type is left to the decoder.
    /// - Parameter node: The document's `features`; nil if it has none.
    init(features node: JSONNode?) {
        var names: Set<ExactText> = []
        for feature in node?.members ?? [] where !feature.value.isNull {
            names.insert(ExactText(feature.name))
            for variable in feature.value.member("variables")?.members ?? [] {
                guard let value = variable.value.member("value"), let kind = VariableKind(value.approximateValue)
                else { continue }
                var isEncrypted = false
                if case .bool(true)? = variable.value.member("encrypted")?.content { isEncrypted = true }
                variables[VariableKey(feature.name, variable.name)] = Variable(kind: kind, isEncrypted: isEncrypted)
            }
        }
        features = names
    }

    /// Whether the document defines a feature; true if names are not checked.
    func has(_ feature: String) -> Bool { features?.contains(ExactText(feature)) ?? true }

    /// Why a value is of no use for a variable; nil if it is.
    func fault(of value: JSONNode, for key: VariableKey) -> String? {
        guard let features else { return nil }
        guard features.contains(ExactText(key.feature)) else {
            return "the document has no feature \(key.feature.excerpt)"
        }
        guard let variable = variables[key] else {
            return "the feature \(key.feature.excerpt) has no variable \(key.variable.excerpt)"
        }
        guard let kind = VariableKind(value.approximateValue) else { return nil }
        if variable.isEncrypted, kind != .string {
            return "the variable is encrypted, but this is \(kind.words) and no ciphertext"
        }
        guard !variable.isEncrypted, !variable.kind.takes(kind) else { return nil }
        return "the variable is \(variable.kind.words), but this is \(kind.words); readers of the variable ignore it"
    }
}

extension JSONNode {
    /// The members, if this is an object.
    fileprivate var members: [Member] {
        guard case .object(let members) = content else { return [] }
        return members
    }

    /// The value of a member; nil if there is none.
    fileprivate func member(_ name: String) -> JSONNode? { members.first { $0.name == name }?.value }
}
