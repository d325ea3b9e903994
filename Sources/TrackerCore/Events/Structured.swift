/// An event with five fixed fields, for actions without a schema of their own.
public struct Structured: Event {
    /// The category, such as `cart`, `se_ca`.
    public var category: String

    /// The action, such as `add`, `se_ac`.
    public var action: String

    /// The object of the action, `se_la`.
    public var label: String?

    /// A property of the object or the action, `se_pr`.
    public var property: String?

    /// A number of the action, `se_va`; an event with a number that is not finite is not tracked.
    public var value: Double?

    /// Creates an event.
    /// - Parameters:
    ///   - category: The category.
    ///   - action: The action.
    ///   - label: The object of the action.
    ///   - property: A property of the object or the action.
    ///   - value: A finite number of the action.
    public init(category: String, action: String, label: String? = nil, property: String? = nil, value: Double? = nil) {
        self.category = category
        self.action = action
        self.label = label
        self.property = property
        self.value = value
    }

    /// The five parameters.
    public var content: EventContent {
        if let value, !value.isFinite { return .invalid(reason: "the value of a structured event is not finite") }
        return .parameters(
            .structured,
            [
                EventParameter(name: "se_ca", value: category), EventParameter(name: "se_ac", value: action),
                EventParameter(name: "se_la", value: label),
                EventParameter(name: "se_pr", value: property),
                EventParameter(name: "se_va", value: value?.description),
            ])
    }
}
