import Foundation
import TrackerConfig
import TrackerCore

/// The chapters about a failing version and a killed process.
extension Demonstration {
    mutating func revertCanary(_ service: Service) async throws {
        let count = 6
        let rollout = #""rollout": {"percent": 100, "bakeSeconds": 2}"#
        try begin(
            "A canary fails and is reverted",
            "A canary is a document that only some processes of a service apply, under observation for its bake time. Version "
                + "6 is one, here for 100 % of one process, and moves checkout to south. But south is out of order: it refuses "
                + "each request.")
        printer.show([rollout])
        servers.south.state.withLock { $0.isOutOfOrder = true }
        try publish(6, Self.bundles(checkout: "south"), [rollout])
        let outcome = await refresh(service)
        let applied = try await wait(for: 6, by: service)
        let start = ContinuousClock.now
        let checkout = service.setup.tracker("checkout")
        track(count, "pay", with: checkout)
        let reverted = try await wait(for: 4, .reverted, by: service)
        let events = try await receive(from: servers.north, after: checkout)
        let delivery = ContinuousClock.now - start
        let next = await refresh(service)
        let (time, version) = (reverted.time - applied.time, reverted.update.version ?? 0)
        let reason = reverted.update.warnings.map(\.description).first { $0.contains("reverted") }
        printer.show(rows: [
            ["0.0 s", "version 6 is applied, and the service tracks \(count) events"],
            [seconds(time), reason ?? "no reason"],
            [seconds(delivery), "version \(version) is in use; north has the \(events.count) events"],
            ["then", next.kind == .held ? "version 6 is held back, and not applied again" : "\(next)"],
        ])
        try expect("the outcome", outcome.kind, is: .applied)
        self.reverted.insert(6)
        try expect("requests that south refused", servers.south.state.withLock { $0.refusals } > 0, is: true)
        try expect("events at north", events.count, is: count)
        try expect("the next fetch", next.kind, is: .held)
        let lost = count - events.count
        printer.result("version 6 was reverted after \(seconds(time)), and \(lost) of \(count) events were lost")
    }

    private func seconds(_ duration: Duration) -> String { String(format: "%.1f s", duration / .seconds(1)) }

    mutating func killProcess(_ service: Service) async throws {
        let count = 20
        try begin(
            "A process is killed with SIGKILL, and no event is lost",
            "The call that tracks an event writes it to a file before it returns. A second process of the service, "
                + "with version 7, tracks \(count) events while north is out of order, and is killed. Then north works again, "
                + "and this process starts a service with the files that the dead one left.")
        try publish(7, Self.bundles())
        _ = await refresh(service)
        servers.north.state.withLock { $0.isOutOfOrder = true }
        let process = try ServiceProcess(document: servers.documentURL, directory: "\(directory)/second")
        let ids: [String]
        do {
            ids = try await track(count, with: process)
        } catch {
            process.kill()
            throw error
        }
        let isKilled = process.kill()
        kills += isKilled ? 1 : 0
        tracked += ids.count
        let early = try await receive(from: servers.north)
        servers.north.state.withLock { $0.isOutOfOrder = false }

        let third = try start("second")
        let events = try await receive(from: servers.north, after: third.setup.tracker("checkout"))
        await shutDown(third)
        // A request of the killed process may arrive late, and then its events exist twice.
        let arrived = Set(events.compactMap { $0["eid"] })
        printer.show(rows: [
            ["process \(process.id)", "tracked \(ids.count) events; north has \(early.count) of them"],
            ["SIGKILL", isKilled ? "ended process \(process.id)" : "did not end process \(process.id)"],
            ["this process", "started with its files; north has \(arrived.count) events"],
        ])
        try expect("ended by SIGKILL", isKilled, is: true)
        try expect("tracked events", Set(ids).count, is: count)
        try expect("events before the kill", early.count, is: 0)
        try expect("delivered events", arrived.count, is: count)
        let lost = Set(ids).subtracting(arrived).count
        printer.result("\(kills) SIGKILL, \(ids.count) events tracked, \(arrived.count) delivered, \(lost) lost")
    }

    /// Tracks events in another process.
    /// - Returns: The ids of the events for which `track` has returned.
    private func track(_ count: Int, with process: ServiceProcess) async throws -> [String] {
        try await wait(for: "the document of the second process") {
            process.lines.first { $0["type"] == "update" && $0["state"] == "fetched" }.map { _ in }
        }
        for number in 1...count {
            process.send(["id": .int(number), "do": "track", "event": ["category": "cart", "action": "pay"]])
        }
        return try await wait(for: "the answers of the second process") {
            let answers = process.lines.filter { $0["type"] == "answer" }
            return answers.count == count ? answers.compactMap { $0["value"]?.string } : nil
        }
    }
}
