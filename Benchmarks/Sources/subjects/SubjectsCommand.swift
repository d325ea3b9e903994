import HTTPSink
import TrackerCore
import Workload

/// Takes what the subject of an event costs `track()`: bursts without one and with each kind, in turns in one process.
@main
enum SubjectsCommand {
    private static let burst = 1000

    static func main() async throws {
        SinkProcess.serveIfAsked()
        let options = try Options(CommandLine.arguments.dropFirst())
        let samples = try options.number("samples") ?? 200
        if let name = options.words.first {
            // For callgrind: one kind, nothing sent.
            let rig = try Rig(.memory, collector: "http://127.0.0.1:9", isSending: false)
            guard let kind = Kind(rawValue: name) else { throw BenchmarkError("expected one of \(Kind.allCases)") }
            for _ in 0..<samples { _ = kind.time(rig.tracker, burst) }
            return
        }
        let sink = try SinkProcess()
        let rig = try Rig(.memory, collector: sink.url)
        var times: [Kind: [Double]] = [:]
        for sample in 0..<samples {
            // Each kind comes first, second … as often as the others.
            let kinds = Kind.allCases.indices.map { Kind.allCases[($0 + sample) % Kind.allCases.count] }
            for kind in kinds {
                let time = await onThread { kind.time(rig.tracker, burst) }
                times[kind, default: []].append(time)
                try await rig.drain()
            }
        }
        let unbound = times[.unbound] ?? []
        for kind in Kind.allCases {
            let own = times[kind] ?? []
            try Figure("track", own.median, "ns", of: kind.rawValue).print()
            try Figure("track_to_unbound", own.median / unbound.median, "", of: kind.rawValue).print()
            try Figure("track_to_unbound_best", (own.min() ?? 0) / (unbound.min() ?? 1), "", of: kind.rawValue).print()
        }
        await rig.pipeline.shutdown()
        withExtendedLifetime(sink) {}
    }
}

/// Where the subject of an event comes from.
private enum Kind: String, CaseIterable, Sendable {
    /// There is none.
    case unbound
    /// Five fields of a context that is bound to the task.
    case bound
    /// The same as an argument, written anew for each event.
    case argument

    private static let subject = EventSubject(
        userID: "u-77120493", domainUserID: "9c65e7f3-8e8e-470d-b243-910b5b300da0",
        domainSessionID: "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e", ipAddress: "203.0.113.7",
        userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    private static let context = TrackingContext(subject: subject)

    /// The mean time of a call in a burst, in nanoseconds.
    func time(_ tracker: Tracker, _ count: Int) -> Double {
        let event = Order.event()
        let entities = [Order.entity()]
        let subject = Self.subject
        return withTrackingContext(self == .bound ? Self.context : nil) {
            let start = ContinuousClock.now
            switch self {
            case .unbound, .bound: for _ in 0..<count { tracker.track(event, entities: entities) }
            case .argument: for _ in 0..<count { tracker.track(event, entities: entities, subject: subject) }
            }
            return start.duration(to: .now) / .nanoseconds(count)
        }
    }
}
