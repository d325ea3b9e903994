import TrackerJSON
import TrackerFeatureModel

/// The Swift text of generated accessors: a struct of structs, one for each feature.
struct AccessorsText {
    private let name: String
    private let source: String
    private let groups: [AccessorGroup]
    private let namespaces: NamespaceNames

    /// Makes the text.
    /// - Parameters:
    ///   - list: The properties; none of its faults.
    ///   - name: The struct's name, an identifier.
    ///   - namespaces: The names of the namespaces.
    ///   - source: The name of the file from which the properties come.
    init(_ list: AccessorList, name: String, namespaces: NamespaceNames, source: String) {
        self.name = name
        self.source = source.wordsOnOneLine
        groups = list.groups
        self.namespaces = namespaces
    }

    /// The text of the file, with a line break at its end.
    var text: String {
        let members =
            groups.map(property) + [initializer] + (groups.isEmpty ? [] : [scoping]) + namespaces.texts
            + groups.map { FeatureAccessorsText($0).text }
        return """
            // Generated from \(source) by tracker-config; changes are overwritten.
            // swift-format-ignore-file
            public import TrackerConfig

            /// The features of \(source); each variable has the value that it has there for a default.
            public struct \(name): Sendable {
            \(members.joined(separator: "\n"))}

            """
    }

    private func property(_ group: AccessorGroup) -> String {
        """
            /// The feature \(group.feature.wordsOnOneLine).
            public private(set) var \(SwiftIdentifier.escaped(group.name)): \(group.typeName)

        """
    }

    private var initializer: String {
        let lines = groups.map { "        self.\(SwiftIdentifier.escaped($0.name)) = \($0.typeName)(features)\n" }
        let body = lines.isEmpty ? "{}" : "{\n\(lines.joined())    }"
        return """
                /// Creates the accessors.
                /// - Parameter features: Where the values come from.
                public init(_ features: Features) \(body)

            """
    }

    /// The function that gives the accessors for one context.
    private var scoping: String {
        let lines = groups.map { group in
            let name = SwiftIdentifier.escaped(group.name)
            return "        accessors.\(name) = self.\(name)(for: context)\n"
        }
        return """
                /// Returns the accessors for one context, whatever is bound to the task.
                /// - Parameter context: The context in which rules and experiments are evaluated.
                /// - Returns: The accessors.
                public func callAsFunction(for context: FeatureContext) -> Self {
                    var accessors = self
            \(lines.joined())        return accessors
                }

            """
    }
}
