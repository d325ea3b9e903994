import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Fetches that a setup makes by itself.
@Suite("Polling", .endsWhenItHangs)
struct PollingTests {
    private let service = Service()

    /// A tracker from the start, whose event store waits too.
    private let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))

    private func document(_ version: Int) -> String { DocumentText.document(version, DocumentText.bundle()) }

    private func polls(_ options: inout SetupOptions) {
        options.random = Halves()
        options.crashGuard = nil
    }

    /// Starts and returns when the setup waits for its next poll; every draw is one half.
    private func start(_ url: String = Service.url, default bundles: [ConfigurationBundle] = []) async throws -> Setup {
        let setup = try await service.started(
            url, default: bundles,
            configure: {
                polls(&$0)
                // One whose changes are not seen before the next poll.
                if url.hasPrefix("file://") { $0.source = FileSource(path: String(url.dropFirst(7)), isWatched: false) }
            }, remote: { $0.pollInterval = .seconds(7) })
        try await waits(setup)
        return setup
    }

    /// Moves the clock and returns when the setup waits again.
    private func advance(by duration: Duration, _ setup: Setup) async throws {
        service.time.advance(by: duration)
        try await waits(setup)
    }

    /// Returns when each fetch has its outcome, and the setup waits for its next poll, and until its document is stale. Beside
    /// that, the event store waits to look for those of dead processes.
    private func waits(_ setup: Setup) async throws {
        try await waitUntil("the setup waits for its next poll") {
            // Before the status: an answer between the two starts a wait for staleness, which would count as the poll's.
            let sleeps = service.time.pendingSleeps
            let status = setup.status
            let isFollowed = status.document.staleSince == nil && status.streaming?.connectedSince == nil
            let poll = status.nextFetchTime?.timeIntervalSince(service.time.now)
            return sleeps.count == (isFollowed ? 3 : 2) && service.outcomes.count >= service.fetches.count
                && (poll.map { $0 > 0 && sleeps.contains(.milliseconds(Int(($0 * 1000).rounded()))) } ?? true)
        }
    }

    private func pollEnds() async throws {
        try await waitUntil("no poll is waited for") { !service.time.pendingSleeps.contains(.seconds(7)) }
    }

    @Test("fetches after the interval and not before")
    func interval() async throws {
        service.serve(document(1))
        let setup = try await start()
        #expect(service.time.pendingSleeps.contains(.seconds(7)))
        service.serve(document(2))
        try await advance(by: .milliseconds(6999), setup)
        #expect(service.fetches.count == 1)
        try await advance(by: .milliseconds(1), setup)
        #expect(service.fetches.count == 2)
        #expect(service.trace.last == #"applied 2 ["a"]"#)
        #expect(service.time.pendingSleeps.contains(.seconds(7)))
        await setup.shutdown(timeout: .zero)
    }

    @Test("fetches only at the start without an interval")
    func never() async throws {
        service.serve(document(1))
        let setup = try await service.started(configure: polls)
        // The event store's wait.
        await service.time.waitForSleepers()
        for _ in 0..<3 {
            service.time.advance(by: .seconds(86_400))
            await service.time.waitForSleepers()
        }
        #expect(service.time.pendingSleeps.count == 1)
        #expect(service.fetches.count == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("no status, no error and no document ends it, and the first good one after them is applied")
    func goesOn() async throws {
        service.serve(document(1))
        let setup = try await start()
        var answers = [100, 204, 302, 304, 400, 401, 404, 410, 429, 503, 999].map {
            ScriptedTransport.Answer.success(HTTPTransportResponse(status: $0))
        }
        for code in [NamedCode<HTTPTransportError>.failed, .timeout, .responseTooLarge, .cancelled] {
            answers.append(.failure(HTTPTransportError(code, reason: "the test says so")))
        }
        for text in ["", "{", "<html>", document(0), document(1), DocumentText.document(9, schema: "x")] {
            answers.append(.success(HTTPTransportResponse(status: 200, body: Array(text.utf8))))
        }
        for (round, answer) in answers.enumerated() {
            service.answer(answer)
            // The longest that it waits: half of eight intervals.
            try await advance(by: .seconds(56), setup)
            #expect(service.fetches.count == round + 2, "\(answer)")
        }
        #expect(service.updates.count == 1)
        service.serve(document(2))
        try await advance(by: .seconds(56), setup)
        #expect(service.trace.last == #"applied 2 ["a"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("waits longer after each failure, the first fetch's included, and as before after a success")
    func backoff() async throws {
        service.serve(status: 500)
        let setup = try await start(default: [bundle])
        for (round, seconds) in [7, 14, 28, 56, 56].enumerated() {
            #expect(service.time.pendingSleeps.contains(.seconds(seconds)), "\(service.time.pendingSleeps)")
            if round == 4 { service.serve(document(1)) }
            try await advance(by: .seconds(seconds), setup)
        }
        #expect(service.fetches.count == 6)
        service.serve(status: 500)
        for seconds in [7, 7, 14] {
            #expect(service.time.pendingSleeps.contains(.seconds(seconds)), "\(service.time.pendingSleeps)")
            try await advance(by: .seconds(seconds), setup)
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("waits as long as the server asks for, and a part of the interval")
    func retryAfter() async throws {
        service.serve("", status: 503, headers: [HTTPHeader(name: "Retry-After", value: "100")])
        let setup = try await start(default: [bundle])
        #expect(service.time.pendingSleeps.contains(.milliseconds(103_500)))
        try await advance(by: .milliseconds(103_499), setup)
        #expect(service.fetches.count == 1)
        try await advance(by: .milliseconds(1), setup)
        #expect(service.fetches.count == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a refresh while it fetches is the same fetch, and one between two polls does not move the next")
    func refresh() async throws {
        service.serve(document(1))
        let setup = try await start()
        service.transport.hold()
        service.time.advance(by: .seconds(7))
        let held = await service.transport.next()
        service.transport.release()
        let joined = Task.immediate { await setup.refresh() }
        // It has joined before the answer comes.
        await setup.turn()
        held.answer(200, body: Array(document(2).utf8))
        #expect(await joined.value == .applied(version: 2, namespaces: ["a"]))
        try await waits(setup)
        #expect(service.fetches.count == 2)
        await setup.refresh()
        #expect(service.time.pendingSleeps.contains(.seconds(7)))
        try await advance(by: .seconds(7), setup)
        #expect(service.fetches.count == 4)
        await setup.shutdown(timeout: .zero)
    }

    @Test("begins also where a refresh was faster than the setup's own first fetch")
    func refreshFirst() async throws {
        service.serve(document(1))
        let setup = try service.start(configure: polls, remote: { $0.pollInterval = .seconds(7) })
        await setup.refresh()
        try await waits(setup)
        let before = service.fetches.count
        try await advance(by: .seconds(7), setup)
        #expect(service.fetches.count == before + 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("ends with the shutdown")
    func shutdown() async throws {
        service.serve(document(1))
        let setup = try await start()
        await setup.shutdown(timeout: .zero)
        try await pollEnds()
        service.time.advance(by: .seconds(1000))
        await setup.turn(20)
        #expect(service.fetches.count == 1)
    }

    @Test("ends when the setup is let go of")
    func letGo() async throws {
        service.serve(document(1))
        var setup: Setup? = try await start()
        weak let gone = setup
        #expect(gone != nil)
        setup = nil
        #expect(gone == nil)
        try await pollEnds()
        service.time.advance(by: .seconds(1000))
        #expect(service.fetches.count == 1)
    }

    // MARK: Files

    private func file(_ name: String) -> String { service.directory.file(name) }

    /// Writes over a file in place, as an editor or `cp` does.
    private func overwrite(_ name: String, _ text: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func poll(_ setup: Setup) async throws -> String {
        let count = service.outcomes.count
        service.time.advance(by: .seconds(56))
        try await waitUntil("the poll has an outcome") { service.outcomes.count > count }
        try await waits(setup)
        return service.trace.last ?? ""
    }

    @Test("follows a file through a rename over it, a write in place, half a write, its end and its return")
    func plainFile() async throws {
        service.directory.write(document(1), to: "trackers.json")
        let setup = try await start("file://\(file("trackers.json"))")
        #expect(try await poll(setup) == "notModified")
        service.directory.write(document(2), to: "new")
        #expect(rename(file("new"), file("trackers.json")) == 0)
        #expect(try await poll(setup) == #"applied 2 ["a"]"#)
        #expect(try await poll(setup) == "notModified")
        for length in [0, 1, document(3).utf8.count / 2, document(3).utf8.count - 1] {
            try overwrite("trackers.json", String(document(3).prefix(length)))
            #expect(try await poll(setup) == "rejected malformed", "\(length) bytes")
            #expect(setup.namespaces == ["a"])
        }
        try overwrite("trackers.json", document(3))
        #expect(try await poll(setup) == #"applied 3 ["a"]"#)
        // The same length, in place.
        try overwrite("trackers.json", document(4))
        #expect(try await poll(setup) == #"applied 4 ["a"]"#)
        #expect(unlink(file("trackers.json")) == 0)
        for _ in 0..<3 { #expect(try await poll(setup) == "failed file") }
        #expect(mkfifo(file("trackers.json"), 0o600) == 0)
        #expect(try await poll(setup) == "failed file")
        #expect(unlink(file("trackers.json")) == 0)
        service.directory.write(document(4), to: "trackers.json")
        #expect(try await poll(setup) == "unchanged 4")
        #expect(try await poll(setup) == "notModified")
        service.directory.write(document(5), to: "trackers.json")
        #expect(try await poll(setup) == #"applied 5 ["a"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("belongs to no request, also where a request makes the setup and asks for a refresh")
    func requests() async throws {
        let seen = Locked<[String?]>([])
        let note: @Sendable () -> Void = { seen.withLock { $0.append(TrackingContext.current?.subject.userID) } }
        service.serve(document(1))
        let request = TrackingContext(subject: EventSubject(userID: "u-1"))
        let setup = try await withTrackingContext(request) { () async throws in
            let setup = try await service.started(
                configure: {
                    polls(&$0)
                    let record = $0.onOutcome
                    $0.onOutcome = { outcome in
                        note()
                        record?(outcome)
                    }
                }, remote: { $0.pollInterval = .seconds(7) })
            service.serve(document(2))
            #expect(await setup.refresh().short == #"applied 2 ["a"]"#)
            return setup
        }
        try await waits(setup)
        service.serve(document(3))
        try await advance(by: .seconds(7), setup)
        #expect(service.trace.last == #"applied 3 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        #expect(seen.withLock { $0 }.count == 3)
        #expect(seen.withLock { $0 }.allSatisfy { $0 == nil })
    }
}
