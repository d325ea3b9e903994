package import TrackerCore

/// The event that is measured: self-describing with six fields, and one entity with four.
package enum Order {
    /// The event.
    package static func event() -> SelfDescribing {
        SelfDescribing(
            schema: "iglu:com.acme.shop/order_placed/jsonschema/1-0-0",
            data: [
                "orderId": "o-2f81c0d94e7a", "total": 129.95, "currency": "EUR", "items": 3, "isFirst": false,
                "channel": "storefront",
            ])
    }

    /// The entity.
    package static func entity() -> Entity {
        Entity(
            schema: "iglu:com.acme.shop/customer/jsonschema/1-0-0",
            data: ["id": "c-77120493", "tier": "gold", "country": "DE", "ordersBefore": 41])
    }
}
