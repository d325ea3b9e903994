import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// A setup, a server and the machine's clock, because libcurl's is no other. The simulator has the bound of how late a version may be.
@Suite("Versions that are published while the stream is cut", .endsWhenItHangs)
struct PushTests {
    /// What happens to the stream when a version is published.
    private enum Fault: CaseIterable {
        case none, cutBefore, cutAfter, lost, lowerVersion, garbage, refused, unreadable
    }

    @Test("no version is missed")
    func published() async throws {
        let site = try SignalSite()
        site.serve(1)
        let service = Service()
        let open = Locked<[ServedStream]>([])
        let follower = Task { for await stream in site.streams { open.withLock { $0.append(stream) } } }
        defer { follower.cancel() }
        let setup = try service.start(
            "\(site.url)/trackers.json",
            configure: { options in
                options.transport = CurlTransport()
                options.time = SystemTime()
            },
            remote: { remote in
                (remote.pollInterval, remote.timeout) = (.seconds(1), .seconds(10))
                remote.streamEndpoint = "\(site.url)/events"
            })
        for (index, fault) in (Fault.allCases + Fault.allCases.reversed()).enumerated() {
            let version = index + 2
            if fault == .cutBefore { end(open) }
            let refusal: SignalSite.Handler = { _ in .response(status: 503) }
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
            while !service.updates.contains(where: { $0.version == version }) { try await yieldUnlessCancelled() }
        }
        #expect(setup.status.document.version == 17)
        end(open)
        await setup.shutdown(timeout: .zero)
    }

    private func end(_ open: Locked<[ServedStream]>) {
        for stream in open.exchange([]) { stream.end() }
    }
}
