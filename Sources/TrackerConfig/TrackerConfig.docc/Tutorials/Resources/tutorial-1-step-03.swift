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
        await setup.shutdown(timeout: .seconds(5))
    }
}
