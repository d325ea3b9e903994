import TrackerConfig

/// A request was answered.
struct RequestServed: Event {
    var method: String
    /// The pattern and not the path, whose ids would make each request one of its kind.
    var route: String
    var status: Int
    /// Sent as `took`, in milliseconds.
    var duration: Duration

    var content: EventContent {
        .selfDescribing(
            schema: "iglu:com.example.orders/request_served/jsonschema/1-0-0",
            data: [
                "method": .string(method), "route": .string(route), "status": .int(status),
                "took": .double(duration / .milliseconds(1)),
            ])
    }
}
