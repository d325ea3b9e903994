import Foundation
import TrackerConfig

@main
enum Tickets {
    static func main() async throws {
        var options = SetupOptions()
        options.instanceID = CommandLine.arguments.dropFirst().first
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: "http://127.0.0.1:8080/tickets.json"),
            default: [
                ConfigurationBundle(
                    namespace: "tickets",
                    network: NetworkConfiguration(endpoint: "http://127.0.0.1:8080"))
            ],
            options: options
        ) { update in
            print("\(update.state): version \(update.version ?? 0)")
        }
        print(await setup.refresh())
        let expiry = Date(timeIntervalSinceNow: 3600)
        try setup.features.overrides.setEnabled(
            false, for: "express", by: "dana", note: "INC-412", expiry: expiry)
        let delivery = Delivery(setup.features)
        for user in ["u-8", "u-9", "u-10", "u-11"] {
            let request = TrackingContext(
                subject: EventSubject(userID: user), evaluation: FeatureContext(userID: user))
            withTrackingContext(request) {
                print("\(user): \(delivery.offer)")
                setup.tracker("tickets")?.track(Structured(category: "ticket", action: "offer"))
            }
        }
        try await Task.sleep(for: .seconds(8))
        let report = await setup.shutdown(timeout: .seconds(5))
        print("sent \(report.sent), stored \(report.stored), dropped \(report.dropped)")
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

    /// The offer for the user of the request, and why.
    var offer: String {
        let express = features.detail("express")
        let offer = express.value ? "express, \(hours) h" : "standard"
        return "\(offer) (\(express.reason), \(express.source), rule \(express.rule ?? "-"))"
    }
}
