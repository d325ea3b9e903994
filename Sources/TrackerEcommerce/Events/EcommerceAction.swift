import TrackerCore

/// The actions of `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`; what they
/// are about is in the event's entities.
enum EcommerceAction: String {
    case addToCart = "add_to_cart"
    case removeFromCart = "remove_from_cart"
    case productView = "product_view"
    case listClick = "list_click"
    case listView = "list_view"
    case promotionClick = "promo_click"
    case promotionView = "promo_view"
    case checkoutStep = "checkout_step"
    case transaction
    case refund
    case transactionError = "trns_error"

    /// The action as self-describing data, with the name of a list where it is about one.
    func content(name: String? = nil) -> EventContent {
        .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2",
            data: JSONObject(present: [("type", .string(rawValue)), ("name", name.map(JSONValue.string))]))
    }
}
