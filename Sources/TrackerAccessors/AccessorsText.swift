import TrackerJSON
import TrackerFeatureModel

/// The Swift text of generated accessors.
struct AccessorsText {
    private static let longestWords = 500

    private let name: String
    private let source: String
    private let variables: [(name: String, feature: String, variable: VariableDefinition)]
    private let flags: [(name: String, feature: String, isEnabled: Bool)]
    /// The name under which the accessors keep their features.
    private let storage: String

    /// Makes the text.
    /// - Parameters:
    ///   - list: The properties; none of its faults.
    ///   - name: The struct's name, an identifier.
    ///   - source: The name of the file from which the properties come.
    init(_ list: AccessorList, name: String, source: String) {
        self.name = name
        self.source = Self.oneLine(source)
        variables = list.accessors.compactMap { accessor in
            guard case .variable(let variable) = accessor.content else { return nil }
            return (accessor.name, accessor.feature, variable)
        }
        flags = list.accessors.compactMap { accessor in
            guard case .isEnabled(let isEnabled) = accessor.content else { return nil }
            return (accessor.name, accessor.feature, isEnabled)
        }
        var storage = "features"
        while list.names.contains(storage) { storage += "Source" }
        self.storage = storage
    }

    /// The text of the file, with a line break at its end.
    var text: String {
        let members =
            variables.map { property($0.name, $0.feature, $0.variable) }
            + flags.map { flag($0.name, $0.feature, $0.isEnabled) }
            + (flags.isEmpty ? [] : ["    private let \(storage): Features\n"])
            + (variables.isEmpty ? [] : [scoping]) + [initializer]
        return """
            // Generated from \(source) by tracker-config; changes are overwritten.
            // swift-format-ignore-file
            public import TrackerConfig

            /// The variables of \(source), each with the value that it has there for a default.
            public struct \(name): Sendable {
            \(members.joined(separator: "\n"))}

            """
    }

    private func property(_ name: String, _ feature: String, _ variable: VariableDefinition) -> String {
        let isOptional = variable.isEncrypted
        let type = isOptional ? "String?" : AccessorType(variable.value).name
        let note = isOptional ? "; encrypted: nil where it cannot be decrypted" : ""
        let words = [variable.title, variable.description].compactMap { $0.map(Self.oneLine) }.filter { !$0.isEmpty }
        let comment =
            (words.isEmpty ? "" : words.joined(separator: ": ") + " ") + "(\(feature).\(variable.name)\(note))"
        return """
                /// \(Self.oneLine(comment))
                @\(isOptional ? "OptionalVariable" : "Variable") public var \(SwiftIdentifier.escaped(name)): \(type)

            """
    }

    private func flag(_ name: String, _ feature: String, _ isEnabled: Bool) -> String {
        let call = "\(storage).isEnabled(\(SwiftLiteral.quoted(feature)), default: \(isEnabled))"
        let head = "    public var \(name): Bool {"
        let isShort = head.count + call.count + 3 <= SwiftLiteral.lineLength
        return """
                /// Whether \(Self.oneLine(feature)) is on.
            \(head)\(isShort ? " \(call) " : "\n        \(call)\n    ")}

            """
    }

    private var initializer: String {
        let lines =
            (flags.isEmpty ? [] : ["        self.\(storage) = features\n"])
            + variables.map { assignment($0.name, $0.feature, $0.variable) }
        let body = lines.isEmpty ? "{}" : "{\n\(lines.joined())    }"
        return """
                /// Creates the accessors.
                /// - Parameter features: Where the values come from.
                public init(_ features: Features) \(body)

            """
    }

    /// The function that gives the accessors for one context.
    private var scoping: String {
        let lines = variables.map { variable in
            let start = "        accessors._\(variable.name) ="
            let value = "_\(variable.name).evaluated(in: context)\n"
            let isShort = start.count + value.count <= SwiftLiteral.lineLength
            return start + (isShort ? " " : "\n            ") + value
        }
        return """
                /// Returns the accessors for one context, in which experiments are evaluated.
                /// - Parameter context: For whom the variables are read.
                /// - Returns: The accessors.
                public func callAsFunction(for context: FeatureContext) -> \(name) {
                    let context = TrackingContext(evaluation: context)
                    var accessors = self
            \(lines.joined())        return accessors
                }

            """
    }

    private func assignment(_ name: String, _ feature: String, _ variable: VariableDefinition) -> String {
        let margin = "        "
        let type = variable.isEncrypted ? "OptionalVariable" : "Variable"
        let start = "\(margin)_\(name) = \(type)("
        let place = "features, \(SwiftLiteral.quoted(feature)), variable: \(SwiftLiteral.quoted(variable.name))"
        let literal = SwiftLiteral(variable.value, as: AccessorType(variable.value))
        let words = variable.isEncrypted ? place : "\(place), default: \(literal.line)"
        if start.count + words.count + 1 <= SwiftLiteral.lineLength { return "\(start)\(words))\n" }
        let inner = margin + "    "
        if inner.count + words.count + 1 <= SwiftLiteral.lineLength || variable.isEncrypted {
            return "\(start)\n\(inner)\(words))\n"
        }
        let label = "default: "
        let room = SwiftLiteral.lineLength - inner.count - label.count - 1
        let value = literal.text(indentation: inner.count, room: room)
        return "\(start)\n\(inner)\(place),\n\(inner)\(label)\(value))\n"
    }

    /// Words on one line, with a space where they had line breaks and tabs, and nothing that a terminal would obey.
    private static func oneLine(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.printable.oneLine(most: longestWords)
    }
}
