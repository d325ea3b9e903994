import TrackerConfig

/// A request was answered.
struct RequestServed: Event {
    let method: String
    /// The pattern and not the path, whose ids would make each request one of its kind.
    let route: String
    let status: Int
    /// Sent as `took`, in milliseconds.
    let duration: Duration

    var content: EventContent {
        .selfDescribing(
            schema: "iglu:com.example.orders/request_served/jsonschema/1-0-0",
            data: ["method": method, "route": route, "status": status, "took": duration / .milliseconds(1)])
    }
}
