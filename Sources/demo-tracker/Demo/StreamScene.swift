import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer

/// The scene of a change that arrives without a refresh, because the file server has a stream.
struct StreamScene {
    private static let patience = Duration.seconds(5)

    private let timeline: Timeline
    private let directory: String
    private let server: LoopbackServer
    /// Yields when a client begins to follow a file, and when it has nothing new.
    private let requests: AsyncStream<Void>

    init(directory: String, _ timeline: Timeline) throws {
        (self.directory, self.timeline) = (directory, timeline)
        try FileManager.default.createDirectory(atPath: "\(directory)/switches", withIntermediateDirectories: true)
        let files = FileServer(directory: "\(directory)/switches", streams: true)
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(2))
        self.requests = requests
        server = try LoopbackServer { request in
            let reply = files.reply(to: request)
            switch reply {
            case .stream, .response(status: 304, _, _, _): continuation.yield()
            default: break
            }
            return reply
        }
    }

    func run() async throws {
        timeline.chapter("A switch is turned off, and the service knows it at once, without a refresh")
        try publish(1, isOn: true)
        var remote = RemoteConfiguration(endpoint: "\(server.url)/switches.json")
        remote.pollInterval = .seconds(3600)
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/switch-cache"
        options.stateDirectory = "\(directory)/switch-state"
        let setup = try Setup(remote: remote, options: options)
        try await arrival(of: "version 1") { await Self.wait(for: 1, setup) }
        // The setup fetches once more when its stream is open: what changes from here on, only the stream says.
        try await arrival(of: "the stream") { [requests] in for await _ in requests.prefix(2) {} }
        timeline.tell(.setup, "follows \(server.url)/switches.json?stream, and polls once an hour")
        show(setup)

        let start = ContinuousClock.now
        try publish(2, isOn: false)
        try await arrival(of: "version 2") { await Self.wait(for: 2, setup) }
        let time = ContinuousClock.now - start
        timeline.tell(.setup, "version 2 is in use, \(Int(time / .milliseconds(1))) ms after it was published")
        show(setup)
        await setup.shutdown(timeout: .seconds(2))
        server.stop()
    }

    private func show(_ setup: Setup) {
        timeline.tell(.service, "checkout is \(setup.features.isEnabled("checkout") ? "on" : "off")")
    }

    private func publish(_ version: Int, isOn: Bool) throws {
        let features = #"{"checkout": {"enabled": \#(isOn)}}"#
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"
        let document = """
            {
              "$schema": "\(schema)",
              "configurationVersion": \(version),
              "configurationBundle": [],
              "features": \(features)
            }
            """
        try document.write(toFile: "\(directory)/switches/switches.json", atomically: true, encoding: .utf8)
        timeline.tell(.file, "version \(version) of a third file is published", ["features \(features)"])
    }

    private static func wait(for version: Int, _ setup: Setup) async {
        for await event in setup.events {
            if case .update(let update) = event, update.version == version { break }
        }
    }

    /// Waits, but not for ever: a demonstration ends by itself.
    private func arrival(
        of what: String, _ wait: @escaping @Sendable () async -> Void
    ) async throws(CommandFailure) {
        let isThere = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await wait()
                return !Task.isCancelled
            }
            group.addTask { await !SystemTime().sleepUnlessCancelled(for: Self.patience) }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard isThere else {
            throw CommandFailure(.unavailable, "\(what) did not come within \(Self.patience.components.seconds) s")
        }
    }
}
