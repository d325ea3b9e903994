import TrackerCommandLine
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer

/// A shop behind a console: it tracks events, reads its features, and publishes new versions of its document.
extension Demonstration {
    /// Runs the shop until the task is cancelled.
    /// - Parameters:
    ///   - arguments: The options of the console.
    ///   - console: The console's server.
    ///   - interval: The time between two versions; 20 s by default.
    /// - Throws: If it cannot start.
    mutating func runShop(
        _ arguments: ServerArguments, _ console: ConsoleServer, interval: Duration = .seconds(20)
    ) async throws {
        let collector = try DemoCollector(keepsEvents: false)
        let (servers, printer) = (try DemoServers("\(directory)/shop-files", north: collector), printer)
        self.servers = servers
        defer { servers.stop() }
        printer.headline("A shop goes on behind its console, until Ctrl-C")
        try servers.publish(1, Self.shopBundles(1), Self.shopMembers(1))
        let bundle = ConfigurationBundle(
            namespace: "checkout", network: NetworkConfiguration(endpoint: collector.server.url))
        let setup = try start("shop", pollInterval: .seconds(5), default: [bundle]).setup
        await setup.refresh()
        console.show(arguments.console(setup))
        printer.write("open \(console.url)  (\(arguments.terms))")
        printer.paragraph(
            "Another version comes every \(interval.components.seconds) s. Of four, one is a canary to a collector that does "
                + "not answer, and one has a mistake.")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.serveCustomers(setup) }
            group.addTask { await Self.publishVersions(on: servers, every: interval, printer) }
        }
        console.stop()
        // In a task of its own: this task is cancelled, so it would send nothing more.
        let report = await Task { await setup.shutdown(timeout: .seconds(2)) }.value
        printer.write("shutdown: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped")
    }

    private static func serveCustomers(_ setup: Setup) async {
        var number = 0
        repeat {
            number += 1
            let (user, country) = ("u-\(number % 40)", ["US", "DE", "FR"][number % 3])
            let context = FeatureContext(units: ["userId": user], country: country)
            let limit = setup.features.value("checkout", variable: "retryLimit", default: 1, for: context)
            setup.tracker("search")?.track(
                Structured(category: "search", action: "query", label: ["tea", "cups", "kettle"][number % 3]))
            if number % 3 == 0 {
                let customer = Entity(
                    schema: "iglu:com.example.shop/customer/jsonschema/1-0-0",
                    data: ["id": .string(user), "country": .string(country)])
                let payment = SelfDescribing(
                    schema: "iglu:com.example.shop/payment/jsonschema/1-0-0",
                    data: ["amount": .double(Double(number % 90) + 0.5), "retryLimit": .int(limit)])
                setup.tracker("checkout")?.track(payment, entities: [customer])
            }
            if number % 8 == 0 {
                setup.tracker("payments")?.track(Structured(category: "payments", action: "charge"))
            }
        } while await SystemTime().sleepUnlessCancelled(for: .milliseconds(250))
    }

    /// Publishes a new version in each interval, until the file is replaced by another document.
    private static func publishVersions(on servers: DemoServers, every interval: Duration, _ printer: Printer) async {
        var version = 2
        while await SystemTime().sleepUnlessCancelled(for: interval) {
            do throws(FileError) {
                if try servers.hasOtherDocument() {
                    return printer.write("\(servers.path) is another document now; no further version is published")
                }
                try servers.publish(version, shopBundles(version), shopMembers(version))
                let notes = [0: ", with a mistake", 2: ", as a canary to a collector that does not answer"]
                printer.write("version \(version) is published\(notes[version % 4] ?? "")")
                version += 1
            } catch {
                printer.write("version \(version) could not be published: \(error)")
            }
        }
    }

    /// The bundles of a version. In every fourth version the collector of checkout does not answer; in every fourth it
    /// is invalid.
    private static func shopBundles(_ version: Int) -> [String] {
        // No server listens at the discard port.
        let collector = [0: "42", 2: #""http://127.0.0.1:9""#][version % 4] ?? "north"
        return [
            """
            {"namespace": "checkout", "networkConfiguration": {"endpoint": \(collector)},
                 "subjectConfiguration": {"userId": "anonymous"}, "emitterConfiguration": {"bufferOption": "LargeGroup"}}
            """,
            """
            {"namespace": "search", "networkConfiguration": {"endpoint": north},
                 "trackerConfiguration": {"appId": "shop-\(version)"}}
            """,
            #"{"namespace": "payments", "networkConfiguration": {"endpoint": north}}"#,
        ]
    }

    private static func shopMembers(_ version: Int) -> [String] {
        let features = """
            "features": {
                "checkout": {"enabled": true, "variables": {
                  "retryLimit": {"value": \(2 + version), "title": "Retries", "group": "Checkout",
                    "description": "How often a payment is tried before the customer sees an error."},
                  "banner": {"value": "Autumn sale, week \(version)", "title": "Banner", "group": "Checkout"},
                  "apiKey": {"value": "c2VjcmV0", "encrypted": true, "title": "Key of the payment service", "group": "Checkout"}}},
                "search": {"enabled": true, "variables": {
                  "pageSize": {"value": 20, "title": "Results on a page", "group": "Search"},
                  "boost": {"value": 1.5, "title": "Boost of new things", "group": "Search"},
                  "synonyms": {"value": {"tv": ["television", "telly"]}, "title": "Synonyms", "group": "Search"},
                  "suggests": {"value": true, "title": "Suggestions while typing", "group": "Search"}}}
              }
            """
        let experiments = """
            "experiments": [{"id": "checkout_01", "sticky": true, "countries": ["US", "DE"], "variants": [
                {"name": "control", "weight": 70},
                {"name": "fast", "weight": 30, "values": {"checkout": {"retryLimit": 8}}}]}]
            """
        let rollout = version % 4 == 2 ? [#""rollout": {"percent": 100, "bakeSeconds": 20}"#] : []
        return [#""meta": {"owner": "growth", "ticket": "SHOP-\#(100 + version)"}"#, features, experiments] + rollout
    }
}
