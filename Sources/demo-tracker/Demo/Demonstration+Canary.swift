import Foundation
import TrackerConfig
import TrackerCore

/// The chapter of a canary.
extension Demonstration {
    mutating func revertCanary(_ service: DemoService) async throws {
        let count = 6
        let rollout = #""rollout": {"percent": 100, "bakeSeconds": 2}"#
        let document = Self.document(6, rollout, checkout: "south")
        try begin(
            "A canary fails and is reverted",
            "A canary is a document that only some processes of a service apply, under observation for its bake time. Version "
                + "6 is one, here for 100 % of one process, and moves checkout to south. But south is out of order: it refuses "
                + "each request.")
        timeline.show([rollout])
        servers.south.setOutOfOrder(true)
        try publish(document)
        let outcome = await refresh(service)
        let applied = try await applied(6, by: service)
        let start = ContinuousClock.now
        let checkout = service.setup.tracker("checkout")
        track(count, "pay", with: checkout)
        let reverted = try await self.applied(4, .reverted, by: service)
        let events = try await receive(from: servers.north, after: checkout)
        let delivery = ContinuousClock.now - start
        let refusals = servers.south.refusals
        let next = await refresh(service)
        let time = reverted.time - applied.time
        let reason = reverted.warnings.first { $0.contains("reverted") } ?? "no reason"
        timeline.show(rows: [
            ["0.0 s", "version 6 is applied, and the service tracks \(count) events"],
            [seconds(time), reason],
            [seconds(delivery), "version \(reverted.version ?? 0) is in use; north has the \(events.count) events"],
            ["then", next.kind == .held ? "version 6 is held back, and not applied again" : "\(next)"],
        ])
        tally.reverted.formUnion(outcome.kind == .applied ? [6] : [])
        var claim = Claim()
        claim.expect("the outcome", outcome.kind, is: .applied)
        claim.expect("requests that south refused", refusals > 0, is: true)
        claim.expect("events at south", servers.south.take().count, is: 0)
        claim.expect("events at north", events.count, is: count)
        claim.expect("the next fetch", next.kind, is: .held)
        try claim.check()
        let lost = count - events.count
        timeline.result("version 6 was reverted after \(seconds(time)), and \(lost) of \(count) events were lost")
    }

    private func seconds(_ duration: Duration) -> String {
        String(format: "%.1f s", duration / .seconds(1))
    }
}
