import TrackerConfig

/// An order was placed.
struct OrderPlaced: Event {
    let order: Order

    var content: EventContent {
        .selfDescribing(
            schema: "iglu:com.example.orders/order_placed/jsonschema/1-0-0",
            data: ["item": order.item, "total": order.total, "shipping": order.shipping, "express": order.isExpress])
    }
}
