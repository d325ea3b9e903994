import TrackerConfig

@main
enum Shop {
    static func main() async throws {
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: "http://127.0.0.1:8080/shop.json"),
            default: [
                ConfigurationBundle(
                    namespace: "shop",
                    network: NetworkConfiguration(endpoint: "http://127.0.0.1:8080"))
            ],
            version: 1
        ) { update in
            print("\(update.state): version \(update.version ?? 0), trackers \(update.namespaces)")
        }
        print(await setup.refresh())
        for user in ["u-1", "u-2"] {
            let request = TrackingContext(subject: EventSubject(userID: user))
            withTrackingContext(request) { checkOut(setup) }
        }
        let report = await setup.shutdown(timeout: .seconds(5))
        print("sent \(report.sent), stored \(report.stored), dropped \(report.dropped)")
    }

    /// Answers one request.
    static func checkOut(_ setup: Setup) {
        setup.tracker("shop")?.track(Structured(category: "cart", action: "checkout"))
        setup.tracker("audit")?.track(Structured(category: "order", action: "paid"))
    }
}
