import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Processes that come to their end soon after they applied a version.
@Suite("A version that kills its processes", .endsWhenItHangs)
struct CrashGuardTests {
    private let service = Service()
    private let good = DocumentText.document(1, DocumentText.bundle("good"))
    private let bad = DocumentText.document(2, DocumentText.bundle("bad"))
    private let next = DocumentText.document(3, DocumentText.bundle("next"))

    /// Lets a process apply the bad version, and end.
    private func run(_ end: EndingProcess.End, _ service: Service) async {
        let plan = EndingProcess.Plan(directory: service.directory.path, document: bad, end: end)
        await #expect(processExitsWith: end == .exitZero ? .success : .failure) {
            [plan = plan as EndingProcess.Plan] in try await plan.run()
        }
    }

    @Test(
        "three processes in a row that vanish: the version is held, and the one before it is used", .mayBlock,
        arguments: [EndingProcess.End.abort, .terminate, .exitZero])
    func held(end: EndingProcess.End) async throws {
        try service.cache(good)
        if end == .abort { for _ in 0..<2 { await run(end, service) } } else { try service.vanish(2) }
        await run(end, service)
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

    @Test(
        "a process that lives on, or ends in order, ends the row", .mayBlock,
        arguments: [EndingProcess.End.shutdown, .confirm, .outlive])
    func endsRow(end: EndingProcess.End) async throws {
        try service.cache(good)
        try service.vanish(2)
        await run(end, service)
        try service.vanish(1)
        service.serve(bad)
        #expect(try await service.run().short == "unchanged 2")
    }

    @Test("a process that has let go of its setup says nothing", .mayBlock)
    func saysNothing() async throws {
        for (before, outcome) in [(1, "unchanged 2"), (2, "held 2")] {
            let service = Service()
            try service.cache(good)
            try service.vanish(before)
            await run(.letGo, service)
            try service.vanish(1)
            service.serve(bad)
            let short = try await service.run().short
            #expect(short == outcome)
        }
    }

    @Test("a process with three setups of one source vanishes once", .mayBlock)
    func once() async throws {
        try service.cache(good)
        await run(.three, service)
        service.serve(bad)
        #expect(try await service.run().short == "unchanged 2")
    }

    @Test("a higher version is tried, and counts by itself")
    func higher() async throws {
        try service.cache(good)
        try service.vanish(3)
        try service.cache(next)
        try service.vanish(2, with: 3)
        service.serve(next)
        try await service.run()
        #expect(service.trace == [#"cached 3 ["next"]"#, "unchanged 3"])
        try service.vanish(3, with: 3)
        try await service.run()
        #expect(service.trace.suffix(2) == [#"cached 1 ["good"]"#, "held 3"])
    }

    @Test("without a document before it the default is used, and without a default the version itself")
    func chain() async throws {
        try service.cache(bad)
        try service.vanish(3)
        service.serve(bad)
        let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "c.example"))
        try await service.run(default: [bundle])
        try await service.run()
        #expect(service.trace == [#"default nil ["d"]"#, "held 2", #"cached 2 ["bad"]"#, "unchanged 2"])
        let warning = try #require(service.updates.last?.warnings.first)
        #expect(warning.place == "version 2")
        #expect(warning.reason.hasPrefix("in use, because there is no other document: "))
    }

    @Test("once held, a version stays held whoever lives on with it")
    func stays() async throws {
        try service.cache(good)
        try service.cache(bad)
        try service.vanish(2)
        service.serve(bad)
        let survivor = try await service.started()
        try service.vanish(1)
        // A fetch looks at what others left, and finds the third.
        _ = await survivor.refresh()
        survivor.confirmHealthy()
        await survivor.shutdown(timeout: .zero)
        #expect(try await service.run().short == "held 2")
    }

    @Test("without a guard nothing is held, also not what was held before")
    func off() async throws {
        try service.cache(good)
        try service.cache(bad)
        try service.vanish(3)
        service.serve(bad)
        #expect(try await service.run().short == "held 2")
        let setup = try await service.started(configure: { $0.crashGuard = nil })
        await setup.shutdown(timeout: .zero)
        #expect(service.trace.suffix(2) == [#"cached 2 ["bad"]"#, "unchanged 2"])
        #expect(try await service.run().short == "held 2")
    }

    @Test("a living process with another version learns of it at its next fetch")
    func living() async throws {
        service.serve(good)
        let setup = try await service.started()
        try service.vanish(3)
        service.serve(bad)
        #expect(await setup.refresh().short == "held 2")
        #expect(setup.namespaces == ["good"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a held document is not fetched again and again: the next requests ask by its tag, and 304 is held too")
    func conditional() async throws {
        func tag(_ text: String) -> [HTTPHeader] { [HTTPHeader(name: "ETag", value: text)] }
        service.serve(good, headers: tag("good"))
        let setup = try await service.started()
        try service.vanish(3)
        service.serve(bad, headers: tag("bad"))
        let outcome = await setup.refresh()
        #expect(outcome.short == "held 2")
        service.serve(status: 304)
        #expect(await setup.refresh() == outcome)
        #expect(service.fetches.map { $0.headers.first { $0.name == "If-None-Match" }?.value } == [nil, "good", "bad"])
        service.serve(next, headers: tag("next"))
        #expect(await setup.refresh().short == #"applied 3 ["next"]"#)
        service.serve(status: 304)
        #expect(await setup.refresh() == .notModified)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a damaged record of versions is set aside with a warning, and forgets")
    func damaged() async throws {
        try service.cache(good)
        try service.cache(bad)
        try service.vanish(3)
        service.serve(bad)
        #expect(try await service.run().short == "held 2")
        let names = try FileManager.default.contentsOfDirectory(atPath: service.stateDirectory)
        let record = try #require(names.first { $0.hasPrefix("configuration-") && $0.hasSuffix(".json") })
        service.directory.write("{\"crashes\":7}", to: "state/\(record)")
        #expect(try await service.run().short == "unchanged 2")
        let warnings = try #require(service.updates.last).warnings
        #expect(warnings.map(\.place) == ["state"])
        #expect(warnings[0].reason.hasSuffix("is damaged and was set aside"))
    }
}
