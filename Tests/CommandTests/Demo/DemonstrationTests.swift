import Foundation
import TestSupport
import Testing
import TrackerCommandLine
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

@testable import demo_tracker

/// The judgement of what the demonstration claims; Tests/BlackBox/test_demo.py runs all of it.
@Suite("The demonstration", .endsWhenItHangs)
struct DemonstrationTests {
    private func reason(_ check: () throws -> Void) -> String? {
        do {
            try check()
            return nil
        } catch {
            return (error as? BrokenClaim)?.reason
        }
    }

    @Test("reports each fault of a chapter, and none if all is as claimed")
    func claims() {
        var claim = Claim()
        claim.expect("lost events", 0, is: 0)
        #expect(reason { try claim.check() } == nil)
        claim.expect("delivered events", 19, is: 20)
        claim.expect("namespaces", ["a"], is: ["a", "b"])
        #expect(
            reason { try claim.check() }
                == #"delivered events: expected 20, found 19; namespaces: expected ["a", "b"], found ["a"]"#)
    }

    @Test("counts a reverted version once and events by their ids, and accounts for each at its end")
    func accounts() {
        var tally = Tally()
        (tally.published, tally.applied, tally.rejected, tally.reverted) = ([1, 2, 3, 4], [1, 2, 4], [3], [4])
        (tally.tracked, tally.dropped, tally.kills) = (3, 1, 1)
        tally.received = ["a", "b"]
        #expect(
            tally.summary == [
                "4 documents: 2 applied, 1 rejected, 1 reverted", "1 SIGKILL", "3 events, 2 delivered, 1 dropped",
            ])
        #expect(reason { try tally.check() } == nil)
        tally.tracked += 1
        #expect(reason { try tally.check() } == "events that were delivered or dropped: expected 4, found 3")
        tally.tracked -= 1
        tally.published.insert(5)
        #expect(reason { try tally.check() } == "published versions: expected [1, 2, 3, 4, 5], found [1, 2, 3, 4]")
    }

    @Test("stops at the chapter whose events a collector has lost")
    func losingCollector() async throws {
        let directory = TemporaryDirectory()
        // Says that it took the events, and has none of them.
        let north = try DemoCollector("north") { _, _ in .response(status: 200) }
        let servers = try DemoServers(directory: directory.path, north: north)
        let printed = Locked<[String]>([])
        let timeline = Timeline(TextStyle(isColoured: false), width: 80) { text in printed.withLock { $0.append(text) }
        }
        let fault = await #expect(throws: BrokenClaim.self) {
            var demonstration = try Demonstration(directory: directory.path, timeline, servers: servers)
            _ = try await demonstration.run()
        }
        #expect(
            fault?.reason == "chapter 2 does not show what it claims: events: expected 2, found 0; "
                + "events with the user id and the language: expected 2, found 0")
        let results = printed.withLock { $0 }.filter { $0.contains("Result: ") }
        #expect(results.count == 1)
    }
}
