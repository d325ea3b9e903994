import Foundation
import TrackerConfig
import TrackerCore
import TrackerJSON

/// The chapter of a process that is killed.
extension Demonstration {
    mutating func killProcess(_ service: DemoService) async throws {
        let count = 20
        try begin(
            "A process is killed with SIGKILL, and no event is lost",
            "The call that tracks an event writes it to a file before it returns. A second process of the service, "
                + "with version 7, tracks \(count) events while north is out of order, and is killed. Then north works again, "
                + "and this process starts a service with the files that the dead one left.")
        try publish(Self.document(7))
        _ = await refresh(service)
        servers.north.setOutOfOrder(true)
        let process = try ServiceProcess(
            options: [
                "--config", servers.documentURL, "--cache-dir", "\(directory)/second/cache", "--state-dir",
                "\(directory)/second/state",
            ], log: "\(directory)/second.log")
        let ids = try await track(count, with: process)
        let isKilled = process.kill()
        tally.kills += isKilled ? 1 : 0
        tally.tracked += ids.count
        timeline.detail(.service, "process \(process.id) tracked \(ids.count) events and was killed")
        let early = try await receive(from: servers.north)
        servers.north.setOutOfOrder(false)

        let third = try start("second")
        let events = try await receive(from: servers.north, after: third.setup.tracker("checkout"))
        await shutDown(third)
        // A request that the dead process had sent may arrive only now: then its events are there twice.
        let arrived = Set(events.compactMap { $0.parameters["eid"] })
        timeline.show(rows: [
            ["process \(process.id)", "tracked \(ids.count) events; north has \(early.count) of them"],
            ["SIGKILL", isKilled ? "ended process \(process.id)" : "did not end process \(process.id)"],
            ["this process", "started with its files; north has \(arrived.count) events"],
        ])
        let lost = Set(ids).subtracting(arrived).count
        var claim = Claim()
        claim.expect("ended by SIGKILL", isKilled, is: true)
        claim.expect("tracked events", Set(ids).count, is: count)
        claim.expect("events before the kill", early.count, is: 0)
        claim.expect("delivered events", arrived.count, is: count)
        claim.expect("lost events", lost, is: 0)
        try claim.check()
        timeline.result("\(tally.kills) SIGKILL, \(ids.count) events tracked, \(arrived.count) delivered, \(lost) lost")
    }

    /// Tracks events in another process.
    /// - Returns: The ids of the events for which `track` has returned.
    private func track(_ count: Int, with process: ServiceProcess) async throws -> [String] {
        do {
            try await Patience.wait(for: "the document of the second process") {
                await process.line(with: ["type": "update", "state": "fetched"]).map { _ in }
            }
        } catch let fault as BrokenClaim {
            throw BrokenClaim(reason: fault.reason + (process.lastWords.map { ": \($0)" } ?? ""))
        }
        process.send(
            (1...count).map { number in
                ["id": .int(number), "do": "track", "event": ["category": "cart", "action": "pay"]]
            })
        return try await Patience.wait(for: "the answers of the second process") {
            var ids: [String] = []
            for number in 1...count {
                guard let answer = await process.line(with: ["type": "answer", "id": .int(number)]) else { return nil }
                if let id = answer["value"]?.string { ids.append(id) }
            }
            return ids
        }
    }
}
