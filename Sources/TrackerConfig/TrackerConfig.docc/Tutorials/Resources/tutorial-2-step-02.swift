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
        await setup.shutdown(timeout: .seconds(5))
    }
}
