import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// A setup and a server. The simulator has the bound of how late a version may be.
@Suite("Versions that are published while the stream is cut", .endsWhenItHangs)
struct PushTests {
    /// What happens to the stream when a version is published.
    private enum Fault: CaseIterable {
        case none, cutBefore, cutAfter, lost, lowerVersion, garbage, refused, unreadable
    }

    @Test("a version is applied within a second of its hint, without a poll, and none is missed")
    func published() async throws {
        let site = try StreamSite()
        site.serve(1)
        let service = Service()
        let open = Locked<[ServedStream]>([])
        let follower = Task { for await stream in site.streams { open.withLock { $0.append(stream) } } }
        defer { follower.cancel() }
        let setup = try service.start(
            "\(site.url)/trackers.json", configure: { $0.transport = CurlTransport() },
            remote: { remote in
                (remote.pollInterval, remote.timeout) = (.seconds(60), .seconds(240))
                remote.streamEndpoint = "\(site.url)/events"
            })
        // The connection leads to a fetch of its own.
        try await waitUntil("the stream is open and its fetch is over") {
            open.withLock { !$0.isEmpty } && setup.status.fetches.values.reduce(0, +) == 2
        }
        for (version, fault) in zip(2..., Fault.allCases) {
            let start = service.time.uptime
            if fault == .cutBefore { end(open) }
            let refusal: StreamSite.Handler = { _ in .response(status: 503) }
            site.answer(fault == .refused ? refusal : nil)
            if fault == .refused { end(open) }
            site.serve(version)
            let message =
                switch fault {
                case .lost, .refused: ""
                case .lowerVersion: "data: {\"version\": \(version - 1)}\n\n"
                case .garbage: "\u{0}: \r\r\n data {\"version\": \(version)}\n"
                case .unreadable: "data: {\"version\": \"\(version)\"}\n\n"
                default: "data: {\"version\": \(version)}\n\n"
                }
            for stream in open.withLock({ $0 }) { stream.put(message) }
            if fault == .cutAfter { end(open) }
            try await waitUntil("version \(version) is applied (\(fault))") {
                if fault != .none { service.time.advance(by: .seconds(1)) }
                return service.updates.contains { $0.version == version }
            }
            if fault == .none { #expect(service.time.uptime - start <= .seconds(1)) }
        }
        end(open)
        await setup.shutdown(timeout: .zero)
    }

    private func end(_ open: Locked<[ServedStream]>) {
        for stream in open.exchange([]) { stream.end() }
    }
}
