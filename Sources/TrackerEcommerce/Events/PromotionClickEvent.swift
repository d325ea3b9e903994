public import TrackerCore

/// A click on a promotion, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct PromotionClickEvent: Event {
    /// The promotion.
    public var promotion: Ecommerce.Promotion

    /// Creates an event.
    /// - Parameter promotion: The promotion.
    public init(promotion: Ecommerce.Promotion) {
        self.promotion = promotion
    }

    /// The action.
    public var content: EventContent { EcommerceAction.promotionClick.content() }

    /// The promotion.
    public var entities: [Entity] { [promotion.entity] }
}
