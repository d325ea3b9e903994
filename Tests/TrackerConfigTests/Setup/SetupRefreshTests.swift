import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// Refreshes, callbacks and their order.
@Suite("Refreshes of a setup", .endsWhenItHangs)
struct SetupRefreshTests {
    private let service = Service()

    private func document(_ version: Int, _ more: String = "") -> String {
        DocumentText.document(version, DocumentText.bundle(), more: more)
    }

    @Test("a refresh that comes before the setup's own first fetch is that fetch")
    func joinsFirst() async throws {
        for round in 0..<Search.count(5) {
            let service = Service()
            service.serve(document(1))
            let setup = try service.start()
            let outcome = await setup.refresh()
            // A fetch too many would come now.
            await setup.turn(20)
            await setup.shutdown(timeout: .zero)
            if outcome.kind == .applied { #expect(service.fetches.count == 1, "round \(round)") }
        }
    }

    @Test("ten refreshes during a fetch are one request with one outcome for all")
    func joins() async throws {
        service.transport.hold()
        let setup = try service.start()
        let held = await service.transport.next()
        service.transport.release()
        let refreshes = (0..<10).map { _ in Task.immediate { await setup.refresh() } }
        // They have joined before the answer comes.
        await setup.turn()
        held.answer(200, body: Array(document(1).utf8))
        for refresh in refreshes { #expect(await refresh.value == .applied(version: 1, namespaces: ["a"])) }
        #expect((service.outcomes.count, service.fetches.count) == (1, 1))
        await setup.shutdown(timeout: .zero)
    }

    @Test("refreshes that wait behind a callback share one request")
    func joinsOne() async throws {
        service.serve(document(1))
        let setup = try await service.started()
        service.transport.hold()
        let first = Task { await setup.refresh() }
        let held = await service.transport.next()
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<10 { setup.refresh { call.yield($0.version ?? -1) } }
        // They have joined before the answer comes.
        await setup.turn()
        service.transport.release()
        held.answer(200, body: Array(document(2).utf8))
        #expect(await first.value == .applied(version: 2, namespaces: ["a"]))
        var iterator = calls.makeAsyncIterator()
        for _ in 0..<10 { #expect(await iterator.next() == 2) }
        await setup.shutdown(timeout: .zero)
        #expect(service.updates.map(\.version) == [1, 2])
    }

    @Test("a refresh in the background comes before what is asked after it")
    func comesInOrder() async throws {
        let setup = try await service.started()
        service.transport.hold()
        for round in 0..<Search.count(5) {
            setup.refresh { _ in }
            await setup.turn()
            #expect(setup.status.isFetching, "round \(round)")
            let held = await service.transport.next()
            let end = Task.immediate { await setup.refresh() }
            await setup.turn()
            held.answer(500)
            _ = await end.value
        }
        service.transport.release()
        await setup.shutdown(timeout: .zero)
    }

    @Test("refresh(onSuccess:) is called after the setup's own and its outcome, and only for an applied document")
    func onSuccess() async throws {
        service.serve(document(1))
        let setup = try await service.started()
        let calls = Locked<[String]>([])
        for (text, status) in [(document(1), 200), ("{", 200), ("", 500), ("", 304)] {
            service.serve(text, status: status)
            service.transport.hold()
            setup.refresh { _ in calls.withLock { $0.append("called for \(status)") } }
            let held = await service.transport.next()
            service.transport.release()
            held.answer(status, body: Array(text.utf8))
            await setup.refresh()
        }
        #expect(calls.withLock { $0 } == [])
        service.serve(document(2))
        let service = self.service
        await withCheckedContinuation { done in
            setup.refresh { update in
                calls.withLock { $0 = service.trace.suffix(2) + ["called with \(update.version ?? -1)"] }
                done.resume()
            }
        }
        #expect(calls.withLock { $0 } == [#"fetched 2 ["a"]"#, #"applied 2 ["a"]"#, "called with 2"])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "updates are delivered one at a time in the order of their versions, each before its outcome and the refresh's return"
    )
    func order() async throws {
        let version = Locked(0)
        service.transport.respond { _ in
            let next = version.withLock { version in
                version += 1
                return version
            }
            return .success(
                HTTPTransportResponse(status: 200, body: Array(DocumentText.document(next, DocumentText.bundle()).utf8))
            )
        }
        let service = self.service
        let busy = Locked(0)
        let setup = try service.start(onSuccess: { _ in
            #expect(
                busy.withLock {
                    $0 += 1
                    return $0
                } == 1)
            busy.withLock { $0 -= 1 }
        })
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<5 {
                        let outcome = await setup.refresh()
                        guard outcome.kind == .applied, let version = outcome.version else {
                            Issue.record("not applied")
                            return
                        }
                        #expect(service.trace.contains(#"applied \#(version) ["a"]"#))
                    }
                }
            }
        }
        let count = service.updates.count
        #expect(count >= 5)
        #expect(service.trace == (1...count).flatMap { [#"fetched \#($0) ["a"]"#, #"applied \#($0) ["a"]"#] })
        await setup.shutdown(timeout: .zero)
    }

    @Test("a callback may call back into the setup: no lock is held")
    func reentrant() async throws {
        service.serve(document(1))
        let seen = Locked<[String]>([])
        let (holder, nested) = (Locked<Setup?>(nil), AsyncStream.makeStream(of: Int.self))
        let setup = try service.start(onSuccess: { update in
            guard let setup = holder.withLock({ $0 }) else { return }
            let tracker = setup.tracker("a")
            try? tracker?.subject.set(\.userID, to: "u")
            tracker?.track(Structured(category: "cart", action: "add"))
            setup.defaultTracker = tracker
            let removed = setup.removeTracker("a")
            seen.withLock { $0.append("\(setup.namespaces) \(removed) \(setup.defaultTracker == nil)") }
            _ = setup.events
            setup.refresh { nested.continuation.yield($0.version ?? -1) }
        })
        await setup.refresh()
        holder.withLock { $0 = setup }
        service.serve(document(2))
        await setup.refresh()
        #expect(seen.withLock { $0 } == ["[] true true"])
        service.serve(document(3))
        await setup.refresh()
        holder.withLock { $0 = nil }
        #expect(seen.withLock { $0.last } == "[] true true")
        await setup.shutdown(timeout: .zero)
    }

    @Test("events begin with the latest update, tell all to each listener in one order, and end at the shutdown")
    func events() async throws {
        service.serve(document(1))
        let setup = try await service.started()
        service.serve(document(2))
        await setup.refresh()
        let (first, second) = (setup.events, setup.events)
        service.serve("{")
        await setup.refresh()
        service.serve(document(3))
        await setup.refresh()
        await setup.shutdown(timeout: .zero)
        for events in [first, second, setup.events] {
            var heard: [String] = []
            for await event in events {
                switch event {
                case .update(let update): heard.append("update \(update.version ?? -1)")
                case .outcome(let outcome): heard.append(outcome.short)
                }
            }
            let isLate = heard.count == 1
            #expect(
                heard == (isLate ? ["update 3"] : ["update 2", "rejected malformed", "update 3", #"applied 3 ["a"]"#]))
        }
    }

    @Test("other bytes under one version are unchanged, with a warning, but never against a default")
    func otherContent() async throws {
        service.serve(document(1))
        try await service.run { setup in
            service.serve(document(1, " "))
            #expect(await setup.refresh() == .unchanged(version: 1, isOtherContent: true))
        }
        #expect(
            service.log.records.filter { $0.level == .warning }.map(\.message) == [
                "version 1 is in use already, but the document was changed without its version"
            ])
        // The cached document is compared as well.
        #expect(try await service.run() == .unchanged(version: 1, isOtherContent: true))
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))
        #expect(try await service.run(default: [bundle], version: 1) == .unchanged(version: 1, isOtherContent: false))
    }

    @Test("a document whose third bundle is bad changes nothing at all")
    func atomic() async throws {
        service.serve(
            DocumentText.document(
                1, DocumentText.bundle("a"), DocumentText.bundle("b"),
                more: #","meta":{"v":1},"features":{"f":{"enabled":true}}"#))
        try await service.run { setup in
            let before = setup.tracker("a")?.layers.explanations
            let files = service.cacheFiles
            service.serve(
                DocumentText.document(
                    2, DocumentText.bundle("a", #""subject":{"userId":"u"}"#), DocumentText.bare("b"),
                    DocumentText.bundle("c", at: "ftp://x"),
                    more: #","meta":{"v":2},"features":{"f":{"enabled":false}}"#))
            guard let error = await setup.refresh().configurationError else {
                Issue.record("not rejected")
                return
            }
            #expect(error.place == "configurationBundle[2].networkConfiguration.endpoint")
            #expect(error.version == 2)
            #expect(setup.namespaces == ["a", "b"])
            #expect(setup.tracker("a")?.layers.explanations == before)
            #expect(setup.meta == ["v": 1])
            #expect(setup.features.isEnabled("f"))
            #expect(service.cacheFiles == files)
        }
        #expect(service.updates.count == 1)
    }
}
