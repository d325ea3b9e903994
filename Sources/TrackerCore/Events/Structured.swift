/// An event of five fixed fields, for what has no schema of its own.
public struct Structured: Event {
    /// What it is about, as `cart`, `se_ca`.
    public var category: String

    /// What was done, as `add`, `se_ac`.
    public var action: String

    /// To what it was done, `se_la`.
    public var label: String?

    /// More about it, `se_pr`.
    public var property: String?

    /// A number that belongs to it, `se_va`; an event with one that is not finite is not tracked.
    public var value: Double?

    /// Creates an event.
    /// - Parameters:
    ///   - category: What it is about.
    ///   - action: What was done.
    ///   - label: To what it was done.
    ///   - property: More about it.
    ///   - value: A finite number that belongs to it.
    public init(
        category: String, action: String, label: String? = nil, property: String? = nil, value: Double? = nil
    ) {
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
