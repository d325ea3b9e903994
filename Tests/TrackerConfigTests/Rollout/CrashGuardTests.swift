import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// Processes that come to their end soon after they applied a version.
@Suite("A version whose processes end", .endsWhenItHangs)
struct CrashGuardTests {
    private let service = Service()
    private let good = DocumentText.document(1, DocumentText.bundle("good"))
    private let bad = DocumentText.document(2, DocumentText.bundle("bad"))
    private let next = DocumentText.document(3, DocumentText.bundle("next"))
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// Lets a process apply the bad version, and end.
    private func run(_ end: EndingProcess.End, _ service: Service) async {
        let plan = EndingProcess.Plan(directory: service.directory.path, document: bad, end: end)
        await #expect(processExitsWith: end == .exitZero ? .success : .failure) {
            [plan = plan as EndingProcess.Plan] in try await plan.run()
        }
    }

    @Test(
        "a version that ended three processes in a row is skipped, however they ended, and the one before it is used",
        .mayBlock,
        arguments: [EndingProcess.End.abort, .terminate, .exitZero])
    func held(end: EndingProcess.End) async throws {
        try service.cache(good)
        if end == .abort { for _ in 0..<2 { await run(end, service) } } else { try service.vanish(2) }
        await run(end, service)
        service.serve(bad)
        let reason =
            "3 processes in a row ended within 30 s of applying it without shutdown(); it is tried again at"
            + " 2023-11-14T23:13:20Z, or when it is released in the console"
        let outcome = try await service.run { setup in
            let status = setup.status
            #expect(status.changes.map(\.kind) == [.reverted, .applied])
            #expect((status.last(.reverted)?.version, status.document.version) == (2, 1))
            #expect(status.lines.first?.text == "Version 2 is held back: \(reason)")
            #expect(status.lines.count { $0.level == .problem } == 1)
        }
        #expect(service.trace == [#"cached 1 ["good"]"#, "held 2"])
        #expect(outcome == .held(HoldReason(.crashes, reason), version: 2))
        #expect(service.updates[0].warnings.map(\.description) == ["version 2: held: \(reason)"])
        let warnings = service.log.records.filter { $0.level <= .warning && $0.message.contains("version 2") }
        #expect(warnings.map(\.message) == ["version 2: held: \(reason)"])
    }

    @Test(
        "a shutdown ends the row, and with a process that survived the version is never held back again", .mayBlock,
        arguments: [EndingProcess.End.shutdown, .confirm, .outlive])
    func endsRow(end: EndingProcess.End) async throws {
        try service.cache(good)
        try service.vanish(2)
        await run(end, service)
        try service.vanish(1)
        service.serve(bad)
        #expect(try await service.run().short == "unchanged 2")
        try service.vanish(3)
        #expect(try await service.run().short == (end == .shutdown ? "held 2" : "unchanged 2"))
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

    /// Starts with the good document while the bad one is held back.
    private func startHeld(_ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> Setup {
        try service.cache(good)
        try service.cache(bad)
        try service.vanish(3)
        service.serve(bad, headers: [HTTPHeader(name: "ETag", value: "bad")])
        let setup = try await service.started(configure: configure)
        #expect(service.trace.suffix(2) == [#"cached 1 ["good"]"#, "held 2"])
        return setup
    }

    @Test(
        "after an hour it is tried again, also if the clock was set, and one more process holds it back again",
        arguments: [(3599.0, false), (3600, true), (-3599, false), (-3600, true)])
    func hour(step: Double, isTried: Bool) async throws {
        let setup = try await startHeld()
        service.time.set(Self.now + step)
        #expect(await setup.refresh().short == (isTried ? #"applied 2 ["bad"]"# : "held 2"))
        await setup.shutdown(timeout: .zero)
        #expect(try await service.run().short == (isTried ? "unchanged 2" : "held 2"))
        guard isTried else { return }
        // A shutdown ends no row that was blamed.
        try service.vanish(1)
        #expect(try await service.run().short == "held 2")
    }

    /// Lets the startup window pass. The hour does not release the version.
    private func survive(until state: String, _ isReached: () -> Bool) async throws {
        try await waitUntil(state) {
            service.time.advance(by: .seconds(30))
            service.time.set(Self.now)
            return isReached()
        }
    }

    @Test("a process that survives with another document tries it again at its next fetch, once")
    func survivor() async throws {
        func tryAgain() async throws {
            let setup = try await startHeld()
            try await survive(until: "it is released") { setup.updater.parts.versions.heldVersions.isEmpty }
            #expect(await setup.refresh().short == #"applied 2 ["bad"]"#)
            // A source would answer to its tag that nothing has changed.
            #expect(service.fetches.allSatisfy { $0.headers.first { $0.name == "If-None-Match" }?.value != "bad" })
            await setup.shutdown(timeout: .zero)
        }
        try await tryAgain()
        try service.vanish(1)
        let setup = try await service.started()
        #expect(service.outcomes.last?.short == "held 2")
        try await survive(until: "it has survived") { setup.updater.parts.versions.watch?.watched == nil }
        #expect(await setup.refresh().short == "held 2")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a process that survives with the default tries it again at its next fetch")
    func survivorWithDefault() async throws {
        try service.vanish(3)
        service.serve(bad)
        let bundle = ConfigurationBundle(namespace: "d", network: NetworkConfiguration(endpoint: "c.example"))
        let setup = try await service.started(default: [bundle])
        #expect(service.trace == [#"default nil ["d"]"#, "held 2"])
        try await survive(until: "it is released") { setup.updater.parts.versions.heldVersions.isEmpty }
        #expect(await setup.refresh().short == #"applied 2 ["bad"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an operator releases it in the console by name, and a process that survives with it clears it for good")
    func console() async throws {
        let setup = try await startHeld()
        var options = ConsoleOptions()
        func release(_ query: String, version: Int = 2) async -> Int {
            let request = ConsoleRequest(
                method: "POST", path: "/console/versions/\(version)/release\(query)",
                headers: [HTTPHeader(name: "Host", value: "localhost")])
            return await WebConsole(setup, options: options).respond(to: request).status
        }
        #expect(await release("?by=dana") == 403)
        options.allowsChanges = true
        #expect(await release("") == 400)
        #expect(await release("?by=dana", version: 3) == 404)
        #expect(await release("?by=dana") == 200)
        #expect(await release("?by=dana") == 404)
        let line = service.log.records.first { $0.message == "version 2 was released by dana" }
        #expect((line?.level, line?.version) == (.info, 2))
        #expect(await setup.refresh().short == #"applied 2 ["bad"]"#)
        try service.vanish(1)
        #expect(await setup.refresh().short == "unchanged 2")
        #expect(setup.updater.parts.versions.heldVersions == [2])
        setup.confirmHealthy()
        try await waitUntil("it is a survivor") { setup.updater.parts.versions.heldVersions.isEmpty }
        await setup.shutdown(timeout: .zero)
        try service.vanish(3)
        #expect(try await service.run().short == "unchanged 2")
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

    @Test(
        "a document that is held back is not fetched again and again: the next requests ask by its tag, and 304 is held too"
    )
    func conditional() async throws {
        func tag(_ text: String) -> [HTTPHeader] { [HTTPHeader(name: "ETag", value: text)] }
        service.serve(good, headers: tag("good"))
        let setup = try await service.started()
        let others = DocumentText.document(2, DocumentText.bundle("others"), more: #","rollout":{"percent":0}"#)
        service.serve(others, headers: tag("others"))
        let outcome = await setup.refresh()
        #expect(outcome.short == "held 2")
        service.serve(status: 304)
        #expect(await setup.refresh() == outcome)
        #expect(
            service.fetches.map { $0.headers.first { $0.name == "If-None-Match" }?.value } == [nil, "good", "others"])
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
        let record = try #require(names.first { $0.hasSuffix(".versions.json") })
        service.directory.write("{\"crashes\":7}", to: "state/\(record)")
        #expect(try await service.run().short == "unchanged 2")
        let warnings = try #require(service.updates.last).warnings
        #expect(warnings.map(\.place) == ["state"])
        #expect(warnings[0].reason.hasSuffix("is damaged and was set aside"))
    }
}
