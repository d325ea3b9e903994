extension RequestOverrides {
    /// The maximum number of names that one request overrides.
    private static let maxNames = 100

    /// The maximum size of the overrides as JSON text, in bytes.
    private static let maxLength = 8192

    /// Creates validated overrides, for tools.
    package init(_ json: JSONObject) throws(FeatureError) {
        _ = try Self.checked(json)
        self.init(checked: json)
    }

    /// Validates overrides, see ``FeatureOverrides/forRequest(_:)``.
    /// - Returns: The separate overrides.
    /// - Throws: The first error with its place.
    static func checked(_ json: JSONObject) throws(FeatureError) -> [FeatureOverride] {
        var overrides: [FeatureOverride] = []
        for (kind, member) in json.members {
            guard ["enabled", "values", "variants"].contains(kind) else {
                throw fault(kind.oneLine(most: 60), "overrides have enabled, values and variants")
            }
            guard let members = member.object?.members else {
                throw fault(kind, "expected an object, found \(member.kind)")
            }
            for (name, value) in members {
                switch (kind, value) {
                case ("enabled", .bool): overrides.append(FeatureOverride(feature: name, value: value))
                case ("variants", .string): overrides.append(FeatureOverride(experiment: name, value: value))
                case ("values", .object(let values)):
                    overrides += values.members.map {
                        FeatureOverride(feature: name, variable: $0.name, value: $0.value)
                    }
                default:
                    let expected = ["enabled": "a boolean", "values": "an object"][kind] ?? "the name of a variant"
                    throw fault("\(kind).\(name.oneLine(most: 60))", "expected \(expected), found \(value.kind)")
                }
            }
        }
        guard overrides.count <= maxNames else {
            throw fault("overrides", "a request overrides at most \(maxNames) names, and not \(overrides.count)")
        }
        let length = JSONValue.object(json).description.utf8.count
        guard length <= maxLength else {
            throw fault("overrides", "they have \(length) bytes, and at most \(maxLength) are used")
        }
        return overrides
    }

    private static func fault(_ place: String, _ reason: String) -> FeatureError {
        FeatureError(.invalidOverrides, place: place, reason: reason)
    }
}
