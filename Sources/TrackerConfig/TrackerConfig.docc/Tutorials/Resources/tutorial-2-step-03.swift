import TrackerConfig

@main
enum Tickets {
    static func main() async throws {
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: "http://127.0.0.1:8080/tickets.json"),
            default: [
                ConfigurationBundle(
                    namespace: "tickets",
                    network: NetworkConfiguration(endpoint: "http://127.0.0.1:8080"))
            ]
        )
        print(await setup.refresh())
        let delivery = Delivery(setup.features)
        for user in ["u-8", "u-9", "u-10", "u-11"] {
            let request = TrackingContext(
                subject: EventSubject(userID: user), evaluation: FeatureContext(userID: user))
            withTrackingContext(request) { print("\(user): \(delivery.offer)") }
        }
        await setup.shutdown(timeout: .seconds(5))
    }
}

/// The delivery of tickets.
struct Delivery {
    /// The time until a ticket is delivered.
    @Variable var hours: Int

    private let features: Features

    init(_ features: Features) {
        self.features = features
        _hours = Variable(features, "express", variable: "hours", default: 48)
    }

    /// The offer for the user of the request.
    var offer: String {
        features.isEnabled("express") ? "express, \(hours) h" : "standard"
    }
}
