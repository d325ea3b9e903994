import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// Rollouts that begin and end, through a setup whose clock begins at 2023-11-14T22:13:20Z.
@Suite("The schedule of a rollout", .endsWhenItHangs)
struct RolloutScheduleTests {
    private let service = Service()

    private static func document(_ version: Int, _ schedule: String, percent: Int = 100) -> String {
        DocumentText.document(
            version, DocumentText.bundle("a"), more: #","rollout":{"percent":\#(percent),"bakeSeconds":0,\#(schedule)}"#
        )
    }

    private static let start = #""start":"2023-11-14T23:15:00+01:00","end":"2023-11-14T22:20:00Z""#

    private func start(_ headers: [HTTPHeader] = []) async throws -> Setup {
        service.serve(DocumentText.document(1, DocumentText.bundle("a")))
        let setup = try await service.started()
        service.serve(Self.document(2, Self.start), headers: headers)
        #expect(await setup.refresh().short == "held 2")
        return setup
    }

    private func isApplied() async throws {
        try await waitUntil("the document is applied") { service.outcomes.last?.kind == .applied }
    }

    @Test("an instance applies a document at the start, with no further answer of the source")
    func begins() async throws {
        let setup = try await start([HTTPHeader(name: "ETag", value: "\"2\"")])
        #expect(service.outcomes.last?.reason == "its rollout begins at 2023-11-14T22:15:00Z")
        #expect(await setup.refresh().short == "held 2")
        service.serve(status: 500)
        let fetches = service.fetches.count
        // A minute at most, because the clock may be set.
        await service.time.waitForSleep(in: .seconds(60) ... .seconds(60))
        service.time.advance(by: .seconds(60))
        await service.time.waitForSleep(in: .seconds(40) ... .seconds(40))
        #expect(setup.status.document.version == 1)
        service.time.advance(by: .seconds(40))
        try await isApplied()
        #expect(service.outcomes.last?.short == #"applied 2 ["a"]"#)
        #expect(service.fetches.count == fetches)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a clock that is set over the start is noticed within a minute")
    func jump() async throws {
        let setup = try await start()
        await service.time.waitForSleep(in: .seconds(60) ... .seconds(60))
        service.time.set(Date(timeIntervalSince1970: 1_700_000_200))
        service.time.advance(by: .seconds(60))
        try await isApplied()
        await setup.shutdown(timeout: .zero)
    }

    @Test("a document that the source serves meanwhile ends the wait")
    func replaced() async throws {
        let setup = try await start()
        service.serve(Self.document(3, #""start":"2023-11-15T00:00:00Z""#))
        #expect(await setup.refresh().short == "held 3")
        service.time.set(Date(timeIntervalSince1970: 1_700_000_200))
        service.time.advance(by: .seconds(60))
        #expect(await setup.refresh().short == "held 3")
        #expect(setup.status.document.version == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("after the end it is no longer applied, and an instance that has it keeps it, also over a restart")
    func ends() async throws {
        let setup = try await start()
        service.time.set(Date(timeIntervalSince1970: 1_700_000_399))
        #expect(await setup.refresh().short == #"applied 2 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        service.time.set(Date(timeIntervalSince1970: 1_700_000_400))
        let again = try await service.started()
        #expect(again.status.document.version == 2)
        service.serve(Self.document(3, Self.start))
        #expect(await again.refresh().short == "held 3")
        #expect(service.outcomes.last?.reason == "its rollout ended at 2023-11-14T22:20:00Z")
        await again.shutdown(timeout: .zero)
    }

    @Test("an instance that is not selected does not wait")
    func notSelected() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle("a")))
        let setup = try await service.started()
        service.serve(Self.document(2, Self.start, percent: 0))
        #expect(await setup.refresh().short == "held 2")
        #expect(service.outcomes.last?.reason?.contains("this one is not among them") == true)
        await setup.shutdown(timeout: .zero)
    }
}
