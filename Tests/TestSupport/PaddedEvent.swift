package import TrackerCore

/// A structured event of a size, by a parameter that has no bound.
package struct PaddedEvent: Event {
    private let action: String
    private let size: Int

    /// - Parameters:
    ///   - action: The action, `se_ac`.
    ///   - size: The bytes of the padding.
    package init(action: String, size: Int) {
        (self.action, self.size) = (action, size)
    }

    package var content: EventContent {
        .parameters(
            .structured,
            [
                EventParameter(name: "se_ca", value: "padded"), EventParameter(name: "se_ac", value: action),
                EventParameter(name: "padding", value: String(repeating: "x", count: size)),
            ])
    }
}
