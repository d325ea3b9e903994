import TrackerJSON
import TrackerFeatureModel

/// The Swift text of the struct of one feature, as a member of the accessors.
struct FeatureAccessorsText {
    private static let margin = String(repeating: " ", count: 8)
    private static let body = String(repeating: " ", count: 12)

    private let group: AccessorGroup

    /// Makes the text.
    init(_ group: AccessorGroup) {
        self.group = group
    }

    /// The struct, with a line break at its end.
    var text: String {
        let members =
            group.properties.map(declaration) + (group.isEnabled.map { [flag($0), storage] } ?? [])
            + [initializer, scoping]
        return """
                /// The feature \(group.feature.wordsOnOneLine).
                public struct \(group.typeName): Sendable {
            \(members.joined(separator: "\n"))    }

            """
    }

    private func declaration(_ property: AccessorGroup.Property) -> String {
        let variable = property.variable
        let isOptional = variable.isEncrypted
        let type = isOptional ? "String?" : AccessorType(variable.value).name
        let note = isOptional ? "; encrypted: nil where it cannot be decrypted" : ""
        let words = [variable.title, variable.description].compactMap { $0?.wordsOnOneLine }.filter { !$0.isEmpty }
        let comment =
            (words.isEmpty ? "" : words.joined(separator: ": ") + " ") + "(\(group.feature).\(variable.name)\(note))"
        return """
            \(Self.margin)/// \(comment.wordsOnOneLine)
            \(Self.margin)@Variable public var \(SwiftIdentifier.escaped(property.name)): \(type)

            """
    }

    private func flag(_ isEnabled: Bool) -> String {
        let name = SwiftLiteral.quoted(group.feature)
        let call = "\(group.storage).isEnabled(\(name), default: \(isEnabled), for: \(group.context))"
        let head = "\(Self.margin)public var \(AccessorGroup.flag): Bool {"
        let isShort = head.count + call.count + 3 <= SwiftLiteral.lineLength
        return """
            \(Self.margin)/// Whether \(group.feature.wordsOnOneLine) is enabled.
            \(head)\(isShort ? " \(call) " : "\n\(Self.body)\(call)\n\(Self.margin)")}

            """
    }

    private var storage: String {
        "\(Self.margin)private let \(group.storage): Features\n"
            + "\(Self.margin)private var \(group.context): FeatureContext?\n"
    }

    private var initializer: String {
        let lines =
            (group.isEnabled == nil ? [] : ["\(Self.body)self.\(group.storage) = features\n"])
            + group.properties.map(assignment)
        return """
            \(Self.margin)/// Creates the accessors.
            \(Self.margin)/// - Parameter features: Where the values come from.
            \(Self.margin)public init(_ features: Features) {
            \(lines.joined())\(Self.margin)}

            """
    }

    /// The function that gives the accessors for one context.
    private var scoping: String {
        var lines = ["\(Self.body)var accessors = self\n"]
        if group.isEnabled != nil { lines.append("\(Self.body)accessors.\(group.context) = context\n") }
        if !group.properties.isEmpty {
            lines.append("\(Self.body)let scope = TrackingContext(evaluation: context)\n")
        }
        lines += group.properties.map { property in
            let start = "\(Self.body)accessors._\(property.name) ="
            let value = "_\(property.name).evaluated(in: scope)\n"
            let isShort = start.count + value.count <= SwiftLiteral.lineLength
            return start + (isShort ? " " : "\n\(Self.body)    ") + value
        }
        return """
            \(Self.margin)/// Returns the accessors for one context, whatever is bound to the task.
            \(Self.margin)/// - Parameter context: The context in which rules and experiments are evaluated.
            \(Self.margin)/// - Returns: The accessors.
            \(Self.margin)public func callAsFunction(for context: FeatureContext) -> Self {
            \(lines.joined())\(Self.body)return accessors
            \(Self.margin)}

            """
    }

    private func assignment(_ property: AccessorGroup.Property) -> String {
        let variable = property.variable
        let start = "\(Self.body)_\(property.name) = Variable("
        let (feature, name) = (SwiftLiteral.quoted(group.feature), SwiftLiteral.quoted(variable.name))
        let place = "features, \(feature), variable: \(name)"
        let literal = SwiftLiteral(variable.value, as: AccessorType(variable.value))
        let words = variable.isEncrypted ? place : "\(place), default: \(literal.line)"
        if start.count + words.count + 1 <= SwiftLiteral.lineLength { return "\(start)\(words))\n" }
        let inner = Self.body + "    "
        if inner.count + words.count + 1 <= SwiftLiteral.lineLength || variable.isEncrypted {
            return "\(start)\n\(inner)\(words))\n"
        }
        let label = "default: "
        let room = SwiftLiteral.lineLength - inner.count - label.count - 1
        let value = literal.text(indentation: inner.count, room: room)
        return "\(start)\n\(inner)\(place),\n\(inner)\(label)\(value))\n"
    }
}

extension String {
    private static let longestWords = 500

    /// Words on one line, with a space where they had line breaks and tabs, and nothing that a terminal would obey.
    var wordsOnOneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ").printable.oneLine(most: Self.longestWords)
    }
}
