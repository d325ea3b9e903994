import TrackerFeatureModel

/// The Swift text of generated accessors: a struct with one nested struct for each feature.
struct AccessorsText {
    /// The name of the features' file.
    let source: String

    /// The text of the file, with a line break at its end.
    func text(of groups: [AccessorGroup], name: String) -> String {
        let properties = groups.map { group in
            [
                "/// The feature \(group.feature.name.wordsOnOneLine).",
                "public private(set) var \(SwiftIdentifier.escaped(group.name)): \(group.typeName)",
            ]
        }
        let names = groups.map { SwiftIdentifier.escaped($0.name) }
        let head = [
            "// Generated from \(source) by tracker-config; changes are overwritten.",
            "// swift-format-ignore-file", "public import TrackerConfig", "",
        ]
        let lines = structure(
            name, "The features of \(source); each variable has the value that it has there for a default.", properties,
            initializer: zip(names, groups).map { "self.\($0) = \($1.typeName)(features)" },
            scoping: names.map { "accessors.\($0) = self.\($0)(for: context)" }, groups.map(structure))
        return (head + lines).joined(separator: "\n") + "\n"
    }

    private func structure(_ group: AccessorGroup) -> [String] {
        let (feature, words) = (SwiftLiteral.quoted(group.feature.name), group.feature.name.wordsOnOneLine)
        let (storage, context) = (group.freeName("features"), group.freeName("context"))
        var properties = group.properties.map { property in
            let (variable, isOptional) = (property.variable, property.variable.isEncrypted)
            let type = isOptional ? "String?" : AccessorType(variable.value).name
            let note = isOptional ? "; encrypted: nil where it cannot be decrypted" : ""
            let title = [variable.title, variable.description].compactMap { $0?.wordsOnOneLine }.filter { !$0.isEmpty }
            let place = "(\(group.feature.name).\(variable.name)\(note))"
            return [
                "/// \("\(title.joined(separator: ": ")) \(place)".wordsOnOneLine)",
                "@Variable public var \(SwiftIdentifier.escaped(property.name)): \(type)",
            ]
        }
        var initializer = group.properties.map { property in
            let variable = property.variable
            let value = SwiftLiteral.text(of: variable.value, as: AccessorType(variable.value))
            let place = "features, \(feature), variable: \(SwiftLiteral.quoted(variable.name))"
            return "_\(property.name) = Variable(\(place)\(variable.isEncrypted ? "" : ", default: \(value)"))"
        }
        var scoping = group.properties.map { "accessors._\($0.name) = _\($0.name).evaluated(in: scope)" }
        if !scoping.isEmpty { scoping.insert("let scope = TrackingContext(evaluation: context)", at: 0) }
        if let isEnabled = group.feature.isEnabled {
            let call = "\(storage).isEnabled(\(feature), default: \(isEnabled), for: \(context))"
            properties += [
                ["/// Whether \(words) is enabled.", "public var \(AccessorGroup.flag): Bool { \(call) }"],
                ["private let \(storage): Features", "private var \(context): FeatureContext?"],
            ]
            initializer.insert("self.\(storage) = features", at: 0)
            scoping.insert("accessors.\(context) = context", at: 0)
        }
        return structure(
            group.typeName, "The feature \(words).", properties, initializer: initializer, scoping: scoping)
    }

    /// The lines of a struct with values of features, and of its function for the accessors of one context.
    private func structure(
        _ name: String, _ comment: String, _ properties: [[String]], initializer: [String], scoping: [String],
        _ structs: [[String]] = []
    ) -> [String] {
        let create =
            [
                "/// Creates the accessors.", "/// - Parameter features: Where the values come from.",
                "public init(_ features: Features) {",
            ] + indented(initializer) + ["}"]
        let scope =
            [
                "/// Returns the accessors for one context, whatever is bound to the task.",
                "/// - Parameter context: The context in which rules and experiments are evaluated.",
                "/// - Returns: The accessors.",
                "public func callAsFunction(for context: FeatureContext) -> Self {",
            ] + indented(["var accessors = self"] + scoping + ["return accessors"]) + ["}"]
        let members = properties + [create] + (scoping.isEmpty ? [] : [scope]) + structs
        return ["/// \(comment)", "public struct \(name): Sendable {"]
            + indented(Array(members.joined(separator: [""]))) + ["}"]
    }

    private func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    \($0)" } }
}

extension String {
    private static let longestWords = 500

    /// The words on one line, with line breaks and tabs replaced by spaces, and without control characters.
    var wordsOnOneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ").printable.oneLine(most: Self.longestWords)
    }
}
