/// What rules and experiments of a document refer to.
package struct DocumentScope: Sendable {
    /// A feature that the document defines.
    struct Feature: Sendable {
        /// More variables are found by a dictionary.
        private static let maximumScan = 16

        /// How many variables the features before it have.
        fileprivate let start: Int
        private let variables: [JSONNode.Member]
        /// How many variables come before each, by its name, if they are many.
        private var byName: [ExactText: Int] = [:]

        fileprivate init(_ variables: [JSONNode.Member], start: Int) {
            self.start = start
            self.variables = variables
            guard variables.count > Self.maximumScan else { return }
            for (position, variable) in variables.enumerated() { byName[ExactText(variable.name)] = position }
        }

        /// Finds a variable.
        /// - Parameter member: A member of the variable's name.
        /// - Returns: nil if the feature defines none of the name, or none that has a value.
        func variable(_ member: JSONNode.Member) -> Variable? {
            let position = byName.isEmpty ? variables.place(of: member.name) : byName[exactly: member.name]
            guard let position, let definition = variables[position].value.members,
                let kind = VariableKind(definition["value"])
            else { return nil }
            var isEncrypted = false
            if case .bool(true)? = definition["encrypted"]?.content { isEncrypted = true }
            return Variable(number: start + position, kind: kind, isEncrypted: isEncrypted)
        }
    }

    /// A variable that the document defines.
    struct Variable: Sendable {
        /// The variable's number among all that the document defines.
        let number: Int
        fileprivate let kind: VariableKind
        fileprivate let isEncrypted: Bool
    }

    /// The document's segments.
    var segments = Segments()

    /// The document's experiments, and the index of each by its id.
    var experiments: (all: [Experiment], indices: [ExactText: Int]) = ([], [:])

    /// The document's features by their names; nil if names are not checked, because the features are elsewhere.
    private var features: [ExactText: Feature]?

    /// How many variables the document's features have.
    private(set) var variableCount = 0

    /// Creates a scope in which names of features are not checked.
    package init() {}

    /// Creates the scope of a document's features. What is of the wrong type is left to the decoder.
    /// - Parameter node: The document's `features`; nil if it has none.
    init(features node: JSONNode?) {
        let members = node?.members
        var features = [ExactText: Feature](minimumCapacity: members?.count ?? 0)
        if let members {
            for member in members where !member.isNull {
                let variables = member.value.members?["variables"]?.members ?? []
                features[ExactText(member.name)] = Feature(variables, start: variableCount)
                variableCount += variables.count
            }
        }
        self.features = features
    }

    /// The document's experiment of an id; nil if there is none.
    func experiment(_ id: String) -> Experiment? { experiments.indices[exactly: id].map { experiments.all[$0] } }

    /// Whether the document defines a feature; true if names are not checked.
    func has(_ feature: String) -> Bool { features.map { $0[exactly: feature] != nil } ?? true }

    /// A feature that the document defines.
    func feature(_ name: String) -> Feature? { features?[exactly: name] }

    /// Judges a value for a variable.
    /// - Parameters:
    ///   - member: The variable's name with the value.
    ///   - name: The name of the variable's feature.
    ///   - feature: The feature of that name.
    ///   - variable: The variable of that feature.
    /// - Returns: Why the value cannot be used; nil if it can.
    func fault(of member: JSONNode.Member, _ name: String, _ feature: Feature?, _ variable: Variable?) -> String? {
        if features == nil { return nil }
        guard feature != nil else { return "the document has no feature \(name.excerpt)" }
        guard let variable else { return "the feature \(name.excerpt) has no variable \(member.name.excerpt)" }
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
