import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Real processes that come to their end soon after they applied a version.
@Suite("A version that kills its processes", .endsWhenItHangs, .mayBlock)
struct CrashGuardTests {
    private let service = Service()
    private let good = DocumentText.document(1, DocumentText.bundle("good"))
    private let bad = DocumentText.document(2, DocumentText.bundle("bad"))

    /// Lets processes apply a version, one after the other, and end.
    private func run(_ end: EndingProcess.End, _ count: Int = 1, document: String? = nil) async {
        let plan = EndingProcess.Plan(directory: service.directory.path, document: document ?? bad, end: end)
        for _ in 0..<count {
            if end == .exitZero {
                await #expect(processExitsWith: .success) { [plan = plan as EndingProcess.Plan] in try await plan.run()
                }
            } else {
                await #expect(processExitsWith: .failure) { [plan = plan as EndingProcess.Plan] in try await plan.run()
                }
            }
        }
    }

    @Test(
        "three processes in a row that vanish: the version is held, and the one before it is used",
        arguments: [EndingProcess.End.abort, .kill, .exitOne])
    func held(end: EndingProcess.End) async throws {
        try service.cache(good)
        await run(end, 3)
        service.serve(bad)
        let reason = "3 processes in a row vanished within 30 s of applying it"
        let outcome = try await service.run { setup in
            let status = setup.status
            #expect(status.changes.map(\.kind) == [.reverted, .applied])
            #expect((status.lastReverted?.version, status.document.version) == (2, 1))
            #expect(status.lines.first?.text == "Version 2 was reverted: \(reason)")
            #expect(status.lines.count { $0.level == .problem } == 1)
        }
        #expect(service.trace == [#"cached 1 ["good"]"#, "held 2"])
        #expect(outcome == .held(version: 2, reason: reason))
        #expect(service.updates[0].warnings.map(\.description) == ["version 2: held: \(reason)"])
        #expect(service.log.records.filter { $0.message.contains("is held back") }.map(\.level) == [.warning])
    }

    @Test("two of them are not enough")
    func two() async throws {
        try service.cache(good)
        await run(.abort, 2)
        service.serve(bad)
        try await service.run()
        #expect(service.trace == [#"cached 2 ["bad"]"#, "unchanged 2"])
    }

    @Test("a higher version is tried, and counts by itself")
    func higher() async throws {
        try service.cache(good)
        await run(.abort, 3)
        let next = DocumentText.document(3, DocumentText.bundle("next"))
        await run(.abort, 2, document: next)
        service.serve(next)
        try await service.run()
        #expect(service.trace == [#"cached 3 ["next"]"#, "unchanged 3"])
        await run(.abort, 3, document: next)
        try await service.run()
        #expect(service.trace.suffix(2) == [#"cached 1 ["good"]"#, "held 3"])
    }

    @Test("without a document before it the default is used, and without a default the version itself")
    func chain() async throws {
        await run(.abort, 3)
        service.serve(bad)
        let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "c.example"))
        try await service.run(default: [bundle])
        try await service.run()
        #expect(service.trace == [#"default nil ["d"]"#, "held 2", #"cached 2 ["bad"]"#, "unchanged 2"])
        #expect(service.updates.last?.warnings.map(\.place) == ["version 2"])
        #expect(
            service.updates.last?.warnings.first?.reason.hasPrefix("in use, because there is no other document: ")
                == true)
    }

    @Test(
        "ends that are nobody's fault never count",
        arguments: [
            EndingProcess.End.terminate, .terminateHandled, .terminateTruncated, .exitZero, .shutdown, .letGo, .confirm,
            .outlive,
        ])
    func innocent(end: EndingProcess.End) async throws {
        await run(end, 4)
        service.serve(bad)
        try await service.run()
        #expect(service.trace == [#"cached 2 ["bad"]"#, "unchanged 2"])
    }

    @Test(
        "who lives on or ends in order ends the row; who was asked to end says nothing",
        arguments: [
            (EndingProcess.End.confirm, false), (.outlive, false), (.shutdown, false), (.exitZero, false),
            (.terminate, true), (.letGo, true),
        ])
    func row(between: EndingProcess.End, isHeld: Bool) async throws {
        try service.cache(good)
        await run(.abort, 2)
        await run(between)
        await run(.abort)
        service.serve(bad)
        try await service.run()
        #expect(service.trace.last == (isHeld ? "held 2" : "unchanged 2"))
    }

    @Test("once held, a version stays held whoever lives on with it")
    func stays() async throws {
        try service.cache(good)
        await run(.abort, 2)
        service.serve(bad)
        let survivor = try service.start()
        await service.settled()
        await run(.abort)
        // A fetch looks at what others left, and finds the third.
        _ = await survivor.refresh()
        survivor.confirmHealthy()
        await survivor.shutdown(timeout: .zero)
        #expect(try await service.run().short == "held 2")
    }

    @Test("without a guard nothing is held, also not what was held before")
    func off() async throws {
        try service.cache(good)
        await run(.abort, 3)
        service.serve(bad)
        let setup = try service.start(configure: { $0.crashGuard = nil })
        await service.settled()
        await setup.shutdown(timeout: .zero)
        #expect(service.trace == ["cached 2 [\"bad\"]", "unchanged 2"])
        #expect(try await service.run().short == "held 2")
    }

    @Test("a process with three setups of one source vanishes once")
    func once() async throws {
        try service.cache(good)
        await run(.three)
        service.serve(bad)
        #expect(try await service.run().short == "unchanged 2")
    }

    @Test("a living process that has the version keeps it, and one that has another one learns of it at its next fetch")
    func living() async throws {
        service.serve(good)
        let setup = try service.start()
        await service.settled()
        await run(.abort, 3)
        service.serve(bad)
        #expect(await setup.refresh().short == "held 2")
        #expect(setup.namespaces == ["good"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a held document is not fetched again and again: the next requests ask by its tag, and 304 is held too")
    func conditional() async throws {
        service.serve(good, headers: [HTTPHeader(name: "ETag", value: "good")])
        let setup = try service.start()
        await service.settled()
        await run(.abort, 3)
        service.serve(bad, headers: [HTTPHeader(name: "ETag", value: "bad")])
        let outcome = await setup.refresh()
        service.serve(status: 304)
        #expect(await setup.refresh() == outcome)
        #expect(service.fetches.map { $0.headers.first { $0.name == "If-None-Match" }?.value } == [nil, "good", "bad"])
        service.serve(
            DocumentText.document(3, DocumentText.bundle("next")), headers: [HTTPHeader(name: "ETag", value: "next")])
        #expect(await setup.refresh().short == "applied 3 [\"next\"]")
        service.serve(status: 304)
        #expect(await setup.refresh() == .notModified)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a damaged record of versions is set aside with a warning, and forgets")
    func damaged() async throws {
        await run(.abort, 3)
        let record = try #require(recordName)
        service.directory.write("{\"crashes\":7}", to: "state/\(record)")
        service.serve(bad)
        try await service.run()
        #expect(service.trace.first == "cached 2 [\"bad\"]")
        #expect(service.updates[0].warnings.map(\.place) == ["state"])
        #expect(service.updates[0].warnings[0].reason.hasSuffix("is damaged and was set aside"))
    }

    private var recordName: String? {
        (try? FileManager.default.contentsOfDirectory(atPath: service.stateDirectory))?
            .first { $0.hasPrefix("configuration-") && $0.hasSuffix(".json") }
    }
}
