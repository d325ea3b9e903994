import TrackerFeatures

/// Warnings about valid conditions that may not mean what their author intended.
struct ConditionAdvice {
    private static let orders: Set<String> = [
        "$lt", "$lte", "$gt", "$gte", "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte",
    ]
    private static let texts: Set<String> = ["$lt", "$lte", "$gt", "$gte"]

    /// The warnings with their places.
    private(set) var warnings: [ConfigurationError] = []
    /// The attributes whose existence the condition checks anywhere.
    private let known: Set<String>

    /// Checks a condition.
    /// - Parameters:
    ///   - condition: The condition as it was written.
    ///   - place: The condition's place in the document.
    init(_ condition: JSONObject, at place: String) {
        known = Self.known(in: .object(condition))
        object(condition, place, isNegated: false)
    }

    private static func known(in json: JSONValue) -> Set<String> {
        switch json {
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(known(in: $1)) }
        case .object(let object):
            object.members.reduce(into: []) { names, member in
                if member.value.object?["$exists"] != nil { names.insert(member.name) }
                names.formUnion(known(in: member.value))
            }
        default: []
        }
    }

    private mutating func object(_ json: JSONObject, _ place: String, isNegated: Bool) {
        for (name, operand) in json.members {
            let place = "\(place).\(name)"
            switch name {
            case "$and", "$or", "$nor":
                for (index, element) in (operand.array ?? []).enumerated() {
                    guard let element = element.object else { continue }
                    object(element, "\(place)[\(index)]", isNegated: isNegated != (name == "$nor"))
                }
            case "$not": if let operand = operand.object { object(operand, place, isNegated: !isNegated) }
            default: attribute(name, operand, place, isNegated: isNegated)
            }
        }
    }

    private mutating func attribute(_ name: String, _ operand: JSONValue, _ place: String, isNegated: Bool) {
        guard let operators = operand.object else { return }
        operations(operators, place)
        // In a negated condition, a missing attribute makes the condition fail.
        guard !isNegated, !known.contains(name),
            let order = operators.members.first(where: { Self.orders.contains($0.name) }),
            Condition([name: operand]).matches({ _ in nil })
        else { return }
        warn(
            "\(place).\(order.name)",
            "a context without \(name.excerpt) matches too; add \"$exists\": true to require it")
    }

    /// Checks operators, including nested ones.
    private mutating func operations(_ json: JSONObject, _ place: String) {
        for (name, operand) in json.members {
            let place = "\(place).\(name)"
            if Self.texts.contains(name), let text = operand.string, text.looksLikeDate {
                warn(place, "compares texts, not moments in time; use $before or $after")
            }
            if let inner = operand.object { operations(inner, place) }
            for (index, element) in (operand.array ?? []).enumerated() {
                if let inner = element.object { operations(inner, "\(place)[\(index)]") }
            }
        }
    }

    private mutating func warn(_ place: String, _ reason: String) {
        warnings.append(ConfigurationError(.warning, place: place, reason: reason))
    }
}

extension String {
    /// Whether it begins like `2026-12-01T`. Dates without a time sort correctly as strings.
    fileprivate var looksLikeDate: Bool { prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]/) != nil }
}
