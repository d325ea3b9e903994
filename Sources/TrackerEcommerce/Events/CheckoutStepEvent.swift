public import TrackerCore

/// The completion of a step of the checkout, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct CheckoutStepEvent: Event {
    /// The step.
    public var step: Ecommerce.CheckoutStep

    /// Creates an event.
    /// - Parameter step: The step.
    public init(step: Ecommerce.CheckoutStep) {
        self.step = step
    }

    /// The action.
    public var content: EventContent { EcommerceAction.checkoutStep.content() }

    /// The step.
    public var entities: [Entity] { [step.entity] }
}
