public import TrackerCore

/// The view of a promotion, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct PromotionViewEvent: Event {
    /// The promotion.
    public var promotion: Ecommerce.Promotion

    /// Creates an event.
    /// - Parameter promotion: The promotion.
    public init(promotion: Ecommerce.Promotion) {
        self.promotion = promotion
    }

    /// The action.
    public var content: EventContent { EcommerceAction.promotionView.content() }

    /// The promotion.
    public var entities: [Entity] { [promotion.entity] }
}
