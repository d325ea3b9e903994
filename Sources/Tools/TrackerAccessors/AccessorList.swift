import TrackerFeatureModel

/// The structs and properties for features, and the errors of features that cannot have them.
struct AccessorList {
    private struct Refusal: Error {
        let reason: String
    }

    /// The types that the generated text uses; a member with the same name would hide them.
    static let usedTypes: Set<String> = [
        "Bool", "Double", "FeatureContext", "Features", "Int", "JSONObject", "JSONValue", "Sendable",
        "String", "TrackingContext", "Variable",
    ]

    private static let remedy = "give it a generatedName of its own"

    /// The features with a property, in the order of the file.
    private(set) var groups: [AccessorGroup] = []

    /// The errors, in the order of the file.
    private(set) var faults: [(path: [String], reason: String)] = []

    /// The features by the name of their property or struct.
    private var owners: [String: String] = [:]

    /// Creates the names of the properties of features.
    init(_ features: [FeatureDefinition]) {
        for feature in features where feature.isEnabled != nil || !feature.variables.isEmpty {
            var names: (property: String, type: String)?
            do throws(Refusal) {
                names = try self.names(of: feature.name)
            } catch {
                faults.append((Self.path(feature.name), error.reason))
            }
            let properties = properties(of: feature)
            guard let names else { continue }
            for name in [names.property, names.type] { owners[name] = feature.name }
            groups.append(
                AccessorGroup(name: names.property, typeName: names.type, feature: feature, properties: properties))
        }
    }

    /// The keys of a feature or of one of its variables, from the outermost.
    private static func path(_ feature: String, _ variable: String? = nil) -> [String] {
        ["features", feature] + (variable.map { ["variables", $0] } ?? [])
    }

    private static func place(_ feature: String, _ variable: String? = nil) -> String {
        path(feature, variable).joined(separator: ".")
    }

    /// The names of a feature's property and struct.
    private func names(of feature: String) throws(Refusal) -> (property: String, type: String) {
        guard let name = SwiftIdentifier.featureName(feature) else {
            throw Refusal(
                reason: "no property can be named after the feature \(feature.excerpt): it needs a letter or a digit")
        }
        var type = SwiftIdentifier.capitalized(name)
        if type == name || Self.usedTypes.contains(type) || SwiftIdentifier.isReservedType(type) { type += "Feature" }
        if let owner = owners[name] ?? owners[type] {
            let clash = "the property '\(name)' already exists, for \(Self.place(owner))"
            throw Refusal(reason: "\(clash); one of the features needs another name")
        }
        return (name, type)
    }

    /// Returns the properties of a feature's variables; an invalid one becomes an error instead.
    private mutating func properties(of feature: FeatureDefinition) -> [AccessorGroup.Property] {
        // The flag has no variable.
        var owners: [String: (name: String, variable: String?)] =
            feature.isEnabled == nil ? [:] : [AccessorGroup.flag: (AccessorGroup.flag, nil)]
        var properties: [AccessorGroup.Property] = []
        for variable in feature.variables {
            do throws(Refusal) {
                let property = AccessorGroup.Property(name: try Self.name(of: variable), variable: variable)
                if let owner = property.takenNames.lazy.compactMap({ owners[$0] }).first {
                    let clash = owner.name == property.name ? "already exists, for" : "clashes with '\(owner.name)' of"
                    let place = Self.place(feature.name, owner.variable)
                    throw Refusal(reason: "the property '\(property.name)' \(clash) \(place); \(Self.remedy)")
                }
                for name in property.takenNames { owners[name] = (property.name, variable.name) }
                properties.append(property)
            } catch {
                faults.append((Self.path(feature.name, variable.name), error.reason))
            }
        }
        return properties
    }

    private static func name(of variable: VariableDefinition) throws(Refusal) -> String {
        guard let name = variable.generatedName else {
            if let name = SwiftIdentifier.lowerCamelCase(variable.name) { return name }
            let rule = "a name begins with a letter"
            throw Refusal(reason: "no property can be named after \(variable.name.excerpt): \(rule); \(remedy)")
        }
        guard !usedTypes.contains(name) else {
            throw Refusal(reason: "the generated name '\(name)' is a type that the accessors use")
        }
        guard SwiftIdentifier.isIdentifier(name) else {
            let rule = "a name has letters, digits and _, no digit first"
            throw Refusal(reason: "no property can be named \(name.excerpt): \(rule)")
        }
        return name
    }
}
