import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// How a setup starts, whatever is wrong around it.
@Suite("The start of a setup", .endsWhenItHangs)
struct SetupStartTests {
    private let service = Service()

    private func bundle(_ namespace: String = "a", at endpoint: String? = "default.example") -> ConfigurationBundle {
        ConfigurationBundle(namespace: namespace, network: endpoint.map { NetworkConfiguration(endpoint: $0) })
    }

    @Test(
        "delivers the first update on the caller's thread before it returns, and waits for no network",
        arguments: [true, false])
    func synchronous(isCached: Bool) async throws {
        if isCached { try service.cache(DocumentText.document(1, DocumentText.bundle())) }
        service.transport.hold()
        let caller = Locked<[Bool]>([])
        let setup = try startHere(caller)
        #expect(service.updates.map(\.state) == [isCached ? .cached : .default])
        #expect(caller.withLock { $0 } == [true])
        #expect(setup.namespaces == ["a"])
        #expect(service.outcomes.isEmpty)
        let held = await service.transport.next()
        // The refresh joins the fetch or makes another.
        service.transport.release()
        held.answer(500)
        await setup.refresh()
        await setup.shutdown(timeout: .zero)
    }

    /// Not async, so that it stays on one thread.
    private func startHere(_ onCaller: Locked<[Bool]>) throws -> Setup {
        let caller = pthread_self()
        return try service.start(
            default: [bundle()],
            onSuccess: { _ in onCaller.withLock { $0.append(pthread_equal(caller, pthread_self()) != 0) } })
    }

    @Test("has no update at all without cache and default, until a fetch succeeds")
    func nothing() async throws {
        service.transport.hold()
        let setup = try service.start()
        #expect(setup.namespaces.isEmpty)
        #expect(setup.tracker("a") == nil)
        let held = await service.transport.next()
        service.transport.release()
        held.answer(200, body: Array(DocumentText.document(1, DocumentText.bundle()).utf8))
        await setup.refresh()
        #expect(service.trace.first == #"fetched 1 ["a"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("without bundles the default's version still bars documents that are not higher", arguments: [1, 2])
    func versionOnly(version: Int) async throws {
        service.serve(DocumentText.document(version, DocumentText.bundle()))
        try await service.run(version: 2)
        #expect(service.trace == [version == 2 ? "unchanged 2" : "stale 1"])
    }

    @Test("a default bundle without an endpoint has no tracker until the remote document gives one")
    func noEndpoint() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        var silent = bundle("a", at: nil)
        silent.subject = EventSubject { $0.userID = "default" }
        try await service.run(default: [silent]) { #expect($0.tracker("a")?.subject.userID == "default") }
        #expect(service.trace == ["default nil []", #"fetched 1 ["a"]"#, #"applied 1 ["a"]"#])
    }

    @Test("numbers of the default are clamped with a warning")
    func clamped() async throws {
        var wild = bundle()
        wild.emitter = EmitterConfiguration { $0.emitRange = 0 }
        wild.session = SessionConfiguration { $0.foregroundTimeout = .seconds(Int64.max) }
        try await service.run(default: [wild]) { setup in
            #expect(setup.tracker("a")?.emitter.emitRange == 1)
            #expect(setup.tracker("a")?.session.foregroundTimeout == .seconds(315_360_000))
        }
        #expect(
            service.updates[0].warnings.map(\.place) == [
                "default[0].session.foregroundTimeout", "default[0].emitter.emitRange",
            ])
    }

    @Test(
        "a cache that cannot be written is a warning, and the document is applied",
        arguments: ["file/cache", "/proc/cache"])
    func unwritableCache(place: String) async throws {
        service.directory.write("", to: "file")
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let setup = try service.start(configure: {
            $0.cacheDirectory = place.hasPrefix("/") ? place : service.directory.file(place)
        })
        #expect(await service.settled() == .applied(version: 1, namespaces: ["a"]))
        #expect(service.updates[0].warnings.map(\.place) == ["cache"])
        #expect(service.updates[0].warnings[0].reason.hasPrefix("the document was applied but not cached: cannot make"))
        #expect(service.log.contains("the document was applied but not cached"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a damaged cache: the document before it is used, and the update says so")
    func damagedCache() async throws {
        try service.cache(
            DocumentText.document(1, DocumentText.bundle()), validators: DocumentValidators(entityTag: "one"))
        try service.cache(
            DocumentText.document(2, DocumentText.bundle()), validators: DocumentValidators(entityTag: "two"))
        let name = try #require(service.cacheFiles.keys.first { $0.hasSuffix(".cache") })
        service.directory.write("garbage", to: "cache/\(name)")
        service.serve(status: 500)
        try await service.run()
        #expect(service.trace == [#"cached 1 ["a"]"#, "failed status(500)"])
        #expect(service.updates[0].warnings.map(\.place) == ["cache"])
        #expect(service.fetches[0].headers.contains(HTTPHeader(name: "If-None-Match", value: "one")))
    }

    @Test("a cached document that this release rejects: the one before it is used")
    func rejectedCache() async throws {
        try service.cache(DocumentText.document(1, DocumentText.bundle()))
        try service.cache(DocumentText.document(2, DocumentText.bundle("a", at: "ftp://x")))
        service.serve(status: 500)
        try await service.run()
        #expect(service.trace.first == #"cached 1 ["a"]"#)
        #expect(service.updates[0].warnings[0].reason.contains("cannot be used as a URL"))
    }

    @Test("warnings of a start without configuration come with the first update")
    func pendingWarnings() async throws {
        try service.cache("{")
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        try await service.run { setup in
            service.serve(DocumentText.document(2, DocumentText.bundle()))
            await setup.refresh()
        }
        #expect(service.updates.map { $0.warnings.map(\.place) } == [["cache"], []])
    }

    @Test("settings without effect are warned of once in a process")
    func inert() async throws {
        let section =
            #""tracker":{"lifecycleAutotracking":true,"installAutotracking":false,"exceptionAutotracking":true}"#
        service.serve(DocumentText.document(1, DocumentText.bundle("a", section)))
        try await service.run { setup in
            service.serve(
                DocumentText.document(2, DocumentText.bundle("a", section), DocumentText.bundle("b", section)))
            await setup.refresh()
            let found = try? setup.tracker("a")?.layers.explanation(of: "tracker.lifecycleAutotracking")
            #expect(found?.short == "remote 2: true")
        }
        let fields = ["tracker.lifecycleAutotracking", "tracker.exceptionAutotracking"]
        #expect(
            service.updates.map { $0.warnings.map(\.place) } == [fields.map { "a: \($0)" }, fields.map { "b: \($0)" }])
    }

    @Test("warnings of a default document are logged and in the first update, in the status while it is in use")
    func defaultWarnings() async throws {
        let text = DocumentText.document(1, DocumentText.bundle(), more: #","conditon":1"#)
        let document = try Document(default: Array(text.utf8))
        for isCached in [false, true] {
            if isCached { try service.cache(DocumentText.document(2, DocumentText.bundle())) }
            service.serve(status: 404)
            let setup = try service.start(default: document)
            #expect(service.updates.last?.warnings.map(\.place) == ["conditon"])
            #expect(
                service.log.records.count { $0.level == .warning && $0.message.hasPrefix("conditon: ") }
                    == (isCached ? 2 : 1))
            #expect(setup.status.document.warnings.map(\.place) == (isCached ? [] : ["conditon"]))
            await service.settled()
            await setup.shutdown(timeout: .zero)
        }
    }

    @Test("another cache and another source can be brought along")
    func ownParts() async throws {
        let source = MemorySource(DocumentText.document(1, DocumentText.bundle()))
        let cache = MemoryCache()
        for _ in 0..<2 {
            let setup = try await service.started(configure: { ($0.cache, $0.source) = (cache, source) })
            await setup.shutdown(timeout: .zero)
        }
        #expect(service.trace == [#"fetched 1 ["a"]"#, #"applied 1 ["a"]"#, #"cached 1 ["a"]"#, "notModified"])
        #expect(service.transport.requests.isEmpty)
        #expect(!service.directory.names.contains("cache"))
    }
}
