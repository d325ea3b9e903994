/// What rules and experiments of a document refer to.
struct DocumentScope: Sendable {
    private struct Variable: Sendable {
        let kind: VariableKind
        let isEncrypted: Bool
    }

    /// The document's segments.
    var segments = Segments()

    /// The names of units that the document uses.
    var units: Set<String> = ["userId"]

    /// The document's experiments by their ids.
    var experiments: [ExactText: Experiment] = [:]

    /// The variables of the document's features that have a value, by the features' names and their own.
    private var features: [ExactText: [ExactText: Variable]] = [:]

    /// Creates the scope of a document's features. What is of the wrong type is left to the decoder.
    /// - Parameter node: The document's `features`; nil if it has none.
    init(features node: JSONNode?) {
        for feature in node?.members ?? [] where !feature.isNull {
            var variables: [ExactText: Variable] = [:]
            for variable in feature.value.members?["variables"]?.members ?? [] {
                guard let definition = variable.value.members, let kind = VariableKind(definition["value"]) else {
                    continue
                }
                let isEncrypted = definition["encrypted"]?.bool == true
                variables[exactly: variable.name] = Variable(kind: kind, isEncrypted: isEncrypted)
            }
            features[exactly: feature.name] = variables
        }
    }

    /// Whether the document defines a feature.
    func has(_ feature: String) -> Bool { features[exactly: feature] != nil }

    /// Why a value cannot be used for a variable; nil if it can.
    /// - Parameters:
    ///   - member: The variable's name with the value.
    ///   - feature: The name of the variable's feature.
    func fault(of member: JSONNode.Member, in feature: String) -> String? {
        guard let variables = features[exactly: feature] else {
            return "the document has no feature \(feature.excerpt)"
        }
        guard let variable = variables[exactly: member.name] else {
            return "the feature \(feature.excerpt) has no variable \(member.name.excerpt)"
        }
        guard let kind = VariableKind(member.value) else { return nil }
        if variable.isEncrypted {
            return kind == .string ? nil : "the variable is encrypted, but this is \(kind.words) and no ciphertext"
        }
        if variable.kind.takes(kind) { return nil }
        return "the variable is \(variable.kind.words), but this is \(kind.words); readers of the variable ignore it"
    }
}

extension VariableKind {
    /// The kind of a value; nil for null and nil.
    fileprivate init?(_ node: JSONNode?) {
        switch node?.content {
        case nil, .null: return nil
        case .bool: self = .boolean
        case .integer: self = .integer
        case .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
