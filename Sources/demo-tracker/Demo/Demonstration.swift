import Foundation
import TrackerClientEvents
import TrackerLoopbackServer
import TrackerConfig
import TrackerCore

/// The story of a service whose trackers follow a file.
struct Demonstration {
    private let directory: String
    private let timeline: Timeline
    private let north = Collector()
    private let south = Collector()
    private let northServer: LoopbackServer
    private let southServer: LoopbackServer
    private let fileServer: LoopbackServer

    init(directory: String, _ timeline: Timeline) throws {
        self.directory = directory
        self.timeline = timeline
        try FileManager.default.createDirectory(atPath: "\(directory)/files", withIntermediateDirectories: true)
        northServer = try Self.serve(north)
        southServer = try Self.serve(south)
        let files = FileServer(directory: "\(directory)/files")
        fileServer = try LoopbackServer { files.reply(to: $0) }
    }

    func run() async throws {
        timeline.chapter("A service starts with a default while version 1 of its file is on the server")
        timeline.tell(
            .service, "the cast: one configuration file, two collectors, all on this machine",
            [
                "file             \(fileServer.url)/trackers.json",
                "collector north  \(northServer.url)",
                "collector south  \(southServer.url)",
            ])
        try publish(1)
        let setup = try makeSetup()
        await fetched(setup)

        timeline.chapter("The service tracks, and sets a user id while it runs")
        try setup.tracker("checkout")?.subject.set(\.userID, to: "u-1")
        timeline.tell(.service, "checkout.subject.userId = \"u-1\"  (in code; the file says \"anonymous\")")
        track(setup)
        await showDelivered(setup)

        timeline.chapter("Two requests run at the same time, and each event is about its own request's user")
        await serveRequests(setup)
        await showDelivered(setup)

        timeline.chapter("Version 2: checkout moves south, payments is new, search loses its network")
        let search = setup.tracker("search")
        try publish(2)
        timeline.tell(.setup, "refresh: \(await setup.refresh())")
        showSettings(setup)
        let answer = search?.track(Structured(category: "search", action: "query")).map { "\($0)" } ?? "nil"
        timeline.tell(
            .service, "search was removed: its old handle answers track with \(answer) and counts the event as dropped")
        track(setup)
        await showDelivered(setup)

        timeline.chapter("Version 3 is wrong: it is rejected whole, and version 2 goes on")
        try publish(3)
        timeline.tell(.setup, "refresh: \(await setup.refresh())")

        try await FeatureScene(
            timeline: timeline, directory: directory, fileServer: fileServer.url,
            collector: ("north", northServer.url, north)
        ).run()
        try await StreamScene(directory: directory, timeline).run()

        timeline.chapter("The service restarts while the file server is down")
        let report = await setup.shutdown(timeout: .seconds(2))
        let removed = search?.counters.droppedByReason[.removed] ?? 0
        timeline.tell(
            .service,
            "shutdown: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped "
                + "(\(removed) by search's old handle)")
        fileServer.stop()
        timeline.tell(.file, "the server is down")
        let restarted = try makeSetup()
        timeline.tell(.setup, "refresh: \(await restarted.refresh())")
        showSettings(restarted)
        timeline.tell(.service, "the user id that was set in code is gone: runtime changes are not stored")
        restarted.tracker("payments")?.track(Timing(category: "payments", variable: "charge", timing: 84))
        timeline.tell(.service, "tracked an event in payments")
        await showDelivered(restarted)
        await restarted.shutdown(timeout: .seconds(2))
        northServer.stop()
        southServer.stop()
    }

    private func makeSetup() throws -> Setup {
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/cache"
        options.stateDirectory = "\(directory)/state"
        return try Setup(
            remote: RemoteConfiguration(endpoint: "\(fileServer.url)/trackers.json"),
            default: [
                ConfigurationBundle(
                    namespace: "checkout", network: NetworkConfiguration(endpoint: northServer.url),
                    subject: SubjectConfiguration { $0.language = "en" })
            ],
            options: options
        ) { [timeline] in timeline.tell($0) }
    }

    /// Waits until the first fetch has been applied.
    private func fetched(_ setup: Setup) async {
        for await event in setup.events {
            if case .update(let update) = event, update.state == .fetched { break }
        }
        showSettings(setup)
    }

    private func track(_ setup: Setup) {
        for namespace in setup.namespaces {
            guard let tracker = setup.tracker(namespace) else { continue }
            switch namespace {
            case "checkout":
                tracker.track(Structured(category: "cart", action: "add", label: "sku-17", value: 12.5))
                tracker.track(ScreenView(name: "Payment"))
            case "search": tracker.track(PageView(url: "https://shop.example.com/?q=tea", title: "Search"))
            default: tracker.track(Timing(category: "payments", variable: "charge", timing: 112))
            }
        }
        timeline.tell(.service, "tracked events in \(setup.namespaces.joined(separator: ", "))")
    }

    /// Serves two requests at once, each with a context that a middleware would bind.
    private func serveRequests(_ setup: Setup) async {
        await withTaskGroup(of: Void.self) { group in
            for user in ["ann", "bob"] {
                let context = TrackingContext(subject: EventSubject(userID: user))
                group.addTask {
                    await withTrackingContext(context) {
                        await Task.yield()
                        _ = setup.tracker("checkout")?.track(Structured(category: "cart", action: "pay"))
                    }
                }
            }
        }
        timeline.tell(.service, "tracked by both: checkout.track(Structured(category: \"cart\", action: \"pay\"))")
    }

    private func showSettings(_ setup: Setup) {
        let lines = setup.namespaces.compactMap { namespace -> String? in
            guard let tracker = setup.tracker(namespace) else { return nil }
            let user = tracker.subject.explain(\.userID)
            let endpoint = tracker.network.explain(\.endpoint)
            let collector = name(of: tracker.network.endpoint)
            return [
                namespace.padding(toLength: 10, withPad: " ", startingAt: 0),
                "to \(collector) (\(source(endpoint)))".padding(toLength: 26, withPad: " ", startingAt: 0),
                "userId \(user.value ?? .null) (\(source(user)))",
            ].joined(separator: " ")
        }
        timeline.tell(.setup, "in effect, with the layer that says so:", lines)
    }

    private func source(_ explanation: SettingExplanation) -> String {
        explanation.version.map { "\(explanation.source.rawValue), v\($0)" } ?? explanation.source.rawValue
    }

    private func name(of endpoint: String?) -> String {
        endpoint == northServer.url ? "north" : "south"
    }

    private func showDelivered(_ setup: Setup) async {
        for namespace in setup.namespaces { await setup.tracker(namespace)?.flush(timeout: .seconds(5)) }
        for (name, collector) in [("north", north), ("south", south)] {
            let lines = collector.take().map { event in
                let namespace = event.parameters["tna"] ?? "?"
                return "\(namespace.padding(toLength: 10, withPad: " ", startingAt: 0)) "
                    + event.summary
            }
            timeline.tell(.collector, lines.isEmpty ? "\(name) received nothing" : "\(name) received:", lines)
        }
    }

    private func publish(_ version: Int) throws {
        let network = { (url: String) in #"{"endpoint": "\#(url)"}"# }
        let (north, south) = (network(northServer.url), network(southServer.url))
        let anonymous = #", "subjectConfiguration": {"userId": "anonymous"}"#
        let bundles =
            switch version {
            case 1:
                [
                    #"{"namespace": "checkout", "networkConfiguration": \#(north)\#(anonymous)}"#,
                    #"{"namespace": "search", "networkConfiguration": \#(north)\#(anonymous)}"#,
                ]
            case 2:
                [
                    #"{"namespace": "checkout", "networkConfiguration": \#(south)\#(anonymous)}"#,
                    #"{"namespace": "payments", "networkConfiguration": \#(south)}"#,
                    #"{"namespace": "search"}"#,
                ]
            default: [#"{"namespace": "checkout", "networkConfiguration": {"endpoint": 42}}"#]
            }
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
        let document = """
            {
              "$schema": "\(schema)",
              "configurationVersion": \(version),
              "configurationBundle": [
                \(bundles.joined(separator: ",\n    "))
              ]
            }
            """
        try document.write(toFile: "\(directory)/files/trackers.json", atomically: true, encoding: .utf8)
        timeline.tell(.file, "version \(version) is published", bundles.map(shortened))
    }

    private func shortened(_ bundle: String) -> String {
        bundle.replacing("\"\(northServer.url)\"", with: "north").replacing("\"\(southServer.url)\"", with: "south")
    }

    private static func serve(_ collector: Collector) throws -> LoopbackServer {
        try LoopbackServer { collector.reply(to: $0) ?? .response(status: 404) }
    }
}
