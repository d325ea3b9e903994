import Foundation
import TrackerClientEvents
import TrackerLoopbackServer
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// A shop that goes on behind a console: it tracks, reads its features, and gets another version of its document now and then.
struct LivingShop {
    private static let betweenVersions = Duration.seconds(20)
    private static let betweenCustomers = Duration.milliseconds(250)
    private static let pollInterval = Duration.seconds(5)

    private let directory: String
    private let collector: Collector
    private let collectorServer: LoopbackServer
    private let fileServer: LoopbackServer

    init(directory: String) throws {
        self.directory = directory
        try FileManager.default.createDirectory(atPath: "\(directory)/shop-files", withIntermediateDirectories: true)
        let collector = Collector()
        self.collector = collector
        collectorServer = try LoopbackServer { request in
            let reply = collector.reply(to: request)
            // Events that are never requested would pile up.
            _ = collector.take()
            return reply ?? .response(status: 404)
        }
        let files = FileServer(directory: "\(directory)/shop-files", streams: true)
        fileServer = try LoopbackServer { files.reply(to: $0) }
    }

    /// Runs until a signal has come.
    func run(
        _ arguments: ServerArguments, _ console: ConsoleServer, _ timeline: Timeline, until signal: Task<Int32?, Never>
    ) async throws {
        timeline.chapter("A shop goes on behind its console, until Ctrl-C")
        try publish(1)
        let setup = try start()
        await setup.refresh()
        console.show(arguments.console(setup))
        timeline.tell(.service, "open \(console.url)  (\(arguments.terms))")
        timeline.tell(
            .document,
            "another version comes every \(Self.betweenVersions.components.seconds) s; every fourth one is wrong"
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await serveCustomers(setup) }
            group.addTask { await publishVersions(timeline) }
            _ = await signal.value
            group.cancelAll()
        }
        console.stop()
        let report = await setup.shutdown(timeout: .seconds(2))
        timeline.tell(
            .service, "shutdown: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped")
        fileServer.stop()
        collectorServer.stop()
    }

    private func start() throws -> Setup {
        var remote = RemoteConfiguration(endpoint: "\(fileServer.url)/shop.json")
        remote.pollInterval = Self.pollInterval
        remote.streamEndpoint = "\(fileServer.url)/shop.json?stream"
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/shop-cache"
        options.stateDirectory = "\(directory)/shop-state"
        options.experiments.exposureNamespaces = ["checkout"]
        let text = ShopDocument.default(collector: collectorServer.url)
        return try Setup(
            remote: remote, default: try Document(default: Array(text.utf8)), version: 0, options: options)
    }

    private func serveCustomers(_ setup: Setup) async {
        var number = 0
        repeat {
            number += 1
            let context = FeatureContext(
                units: ["userId": "u-\(number % 40)"], country: ["US", "DE", "FR"][number % 3])
            let limit = setup.features.value("checkout", variable: "retryLimit", default: 1, for: context)
            let customer = Entity(
                schema: "iglu:com.example.shop/customer/jsonschema/1-0-0",
                data: ["id": .string("u-\(number % 40)"), "country": .string(context.country ?? "")])
            setup.tracker("search")?.track(
                Structured(category: "search", action: "query", label: ["tea", "cups", "kettle"][number % 3]))
            if number % 3 == 0 {
                setup.tracker("checkout")?.track(
                    SelfDescribing(
                        schema: "iglu:com.example.shop/payment/jsonschema/1-0-0",
                        data: ["amount": .double(Double(number % 90) + 0.5), "retryLimit": .int(limit)]),
                    entities: [customer])
            }
            if number % 8 == 0 {
                setup.tracker("payments")?.track(
                    Timing(category: "payments", variable: "charge", timing: Double(80 + number % 40)))
            }
        } while await SystemTime().sleepUnlessCancelled(for: Self.betweenCustomers)
    }

    private func publishVersions(_ timeline: Timeline) async {
        var version = 1
        while await SystemTime().sleepUnlessCancelled(for: Self.betweenVersions) {
            version += 1
            do {
                try publish(version)
                timeline.tell(.document, "version \(version) is published\(version % 4 == 0 ? ", and wrong" : "")")
            } catch {
                timeline.tell(.document, "version \(version) could not be published: \(error)")
            }
        }
    }

    private func publish(_ version: Int) throws {
        let text = ShopDocument.text(version, collector: collectorServer.url)
        try Data(text.utf8).write(to: URL(filePath: "\(directory)/shop-files/shop.json"), options: .atomic)
    }
}
