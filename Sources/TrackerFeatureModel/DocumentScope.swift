/// The parts of a document to which its rules and experiments refer.
///
/// A class, because a feature's variables are read at the first reference to one of them.
final class DocumentScope {
    private struct Variable {
        let kind: VariableKind
        let isEncrypted: Bool
    }

    /// The document's segments.
    var segments = Segments()

    /// The names of units that the document uses.
    var units: Set<String> = ["userId"]

    /// The document's experiments by their ids.
    var experiments: [ExactText: Experiment] = [:]

    /// The document's features by their names.
    private var features: [ExactText: JSONNode] = [:]

    /// The variables that have a value, by the names of the features and of the variables.
    private var variables: [ExactText: [ExactText: Variable]] = [:]

    /// Creates the scope of a document's features. The decoder reports values of a wrong type.
    /// - Parameter node: The document's `features`; nil if it has none.
    init(features node: JSONNode?) {
        for feature in node?.members ?? [] where !feature.isNull { features[exactly: feature.name] = feature.value }
    }

    /// Whether the document defines a feature.
    func has(_ feature: String) -> Bool { features[exactly: feature] != nil }

    /// Checks a value for a variable.
    /// - Parameters:
    ///   - member: The variable's name with the value.
    ///   - feature: The name of the variable's feature.
    /// - Returns: The reason why the value cannot be used; nil if it can.
    func fault(of member: JSONNode.Member, in feature: String) -> String? {
        guard let variables = variables(of: feature) else {
            return "the document has no feature \(feature.excerpt)"
        }
        guard let variable = variables[exactly: member.name] else {
            return "the feature \(feature.excerpt) has no variable \(member.name.excerpt)"
        }
        guard let kind = VariableKind(member.value.value) else { return nil }
        if variable.isEncrypted {
            return kind == .string ? nil : "the variable is encrypted, but this is \(kind.words) and no ciphertext"
        }
        if variable.kind.takes(kind) { return nil }
        return "the variable is \(variable.kind.words), but this is \(kind.words); readers of the variable ignore it"
    }

    private func variables(of feature: String) -> [ExactText: Variable]? {
        if let known = variables[exactly: feature] { return known }
        guard let node = features[exactly: feature] else { return nil }
        let members = node.members?["variables"]?.members ?? []
        var variables = [ExactText: Variable](minimumCapacity: members.count)
        for variable in members {
            guard let kind = variable.value.members?["value"].flatMap({ VariableKind($0.value) }) else { continue }
            let isEncrypted = variable.value.members?["encrypted"]?.bool == true
            variables[exactly: variable.name] = Variable(kind: kind, isEncrypted: isEncrypted)
        }
        self.variables[exactly: feature] = variables
        return variables
    }
}
