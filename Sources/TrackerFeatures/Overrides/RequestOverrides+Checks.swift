extension RequestOverrides {
    /// The most names that one request overrides.
    static let maxNames = 100

    /// The most bytes of the overrides as JSON text.
    static let maxLength = 8192

    /// Checks overrides.
    /// - Parameter json: The overrides, see ``FeatureOverrides/forRequest(_:)``.
    /// - Throws: The first fault with its place.
    package init(_ json: JSONObject) throws(FeatureError) {
        var names = 0
        for (name, member) in json.members {
            guard ["enabled", "values", "variants"].contains(name) else {
                throw Self.fault(name.oneLine(most: 60), "overrides have enabled, values and variants")
            }
            for (key, value) in try Self.object(member, at: name).members {
                var place: String { "\(name).\(key.oneLine(most: 60))" }
                switch (name, value) {
                case ("enabled", .bool), ("variants", .string): names += 1
                case ("enabled", _): throw Self.fault(place, "expected a boolean, found \(value.kind)")
                case ("variants", _): throw Self.fault(place, "expected the name of a variant, found \(value.kind)")
                default: names += try Self.object(value, at: place).count
                }
            }
        }
        guard names <= Self.maxNames else {
            throw Self.fault("overrides", "a request overrides at most \(Self.maxNames) names, and not \(names)")
        }
        let length = JSONValue.object(json).description.utf8.count
        guard length <= Self.maxLength else {
            throw Self.fault("overrides", "they have \(length) bytes, and at most \(Self.maxLength) are used")
        }
        self.init(checked: json)
    }

    private static func object(_ value: JSONValue, at place: String) throws(FeatureError) -> JSONObject {
        guard let object = value.object else { throw fault(place, "expected an object, found \(value.kind)") }
        return object
    }

    private static func fault(_ place: String, _ reason: String) -> FeatureError {
        FeatureError(.invalidOverrides, place: place, reason: reason)
    }

    /// The overrides one by one, for a check against what the sources have.
    var targets: [(target: OverrideTarget, value: JSONValue)] {
        func members(_ value: JSONValue?) -> [JSONObject.Member] { value?.object?.members ?? [] }
        let variables = members(json["values"]).flatMap { feature, values in
            members(values).map { (OverrideTarget.variable(VariableKey(feature, $0.name)), $0.value) }
        }
        return members(json["enabled"]).map { (.enabled(ExactText($0.name)), $0.value) } + variables
            + members(json["variants"]).map { (.variant(ExactText($0.name)), $0.value) }
    }
}
