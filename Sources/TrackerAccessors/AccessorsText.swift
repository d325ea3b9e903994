import TrackerJSON
import TrackerFeatureModel

/// The Swift text of generated accessors: a struct of structs, one for each feature.
struct AccessorsText {
    private let name: String
    private let source: String
    private let groups: [AccessorGroup]

    /// Makes the text.
    /// - Parameters:
    ///   - list: The properties; none of its faults.
    ///   - name: The struct's name, an identifier.
    ///   - source: The name of the file from which the properties come.
    init(_ list: AccessorList, name: String, source: String) {
        self.name = name
        self.source = source.wordsOnOneLine
        groups = list.groups
    }

    /// The text of the file, with a line break at its end.
    var text: String {
        let members =
            groups.map(property) + [initializer] + (groups.contains { !$0.properties.isEmpty } ? [scoping] : [])
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
        let lines = groups.filter { !$0.properties.isEmpty }.map { group in
            let name = SwiftIdentifier.escaped(group.name)
            return "        accessors.\(name) = self.\(name)(for: context)\n"
        }
        return """
                /// Returns the accessors for one context, in which experiments are evaluated.
                /// - Parameter context: For whom the variables are read.
                /// - Returns: The accessors.
                public func callAsFunction(for context: FeatureContext) -> Self {
                    var accessors = self
            \(lines.joined())        return accessors
                }

            """
    }
}
