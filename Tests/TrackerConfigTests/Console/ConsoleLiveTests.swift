import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// What a console shows as it happens.
@Suite("Console: live", .endsWhenItHangs)
struct ConsoleLiveTests {
    private let shop = FeatureService()
    private var time: ManualTime { shop.service.time }

    private func start() async throws -> (Setup, ConsoleBrowser, Tracker) {
        shop.publish(1, #"{"f":{"variables":{"x":{"value":1}}}}"#)
        let setup = try await shop.start()
        return (setup, ConsoleBrowser(setup), try #require(setup.tracker("a")))
    }

    @Test("events are shown as they were tracked, each once, from the first look on", arguments: [false, true])
    func events(base64: Bool) async throws {
        let (setup, browser, tracker) = try await start()
        try tracker.settings.set(\.base64Encoding, to: base64)
        tracker.track(Structured(category: "before", action: "anybody looked"))
        var live = await browser.get("live")
        #expect(live["events"] == [])
        let entity = Entity(schema: "iglu:com.acme/user/jsonschema/1-0-0", data: ["name": "<b>"])
        let id = tracker.track(
            SelfDescribing(schema: "iglu:com.acme/order/jsonschema/1-0-0", data: ["total": 3]), entities: [entity])
        tracker.track(Structured(category: "cart", action: "add"))
        live = await browser.get("live?after=\(live["cursor"]?.string ?? "")")
        let events = live["events"]?.array ?? []
        #expect(events.map { $0.at("name") } == ["com.acme/order/1-0-0", "cart / add"])
        #expect(events.first?.at("id").string == id?.description)
        #expect(events.first?.at("namespace") == "a")
        #expect(events.first?.at("data") == ["total": 3])
        #expect(events.first?.at("time") == .int(Int(time.wallTime)))
        #expect(
            events.first?.at("entities").array?.contains([
                "schema": "iglu:com.acme/user/jsonschema/1-0-0", "data": ["name": "<b>"],
            ]) == true)
        #expect(events.last?.at("data") == ["se_ca": "cart", "se_ac": "add"])
        #expect(live.at("trackers.a.tracked") == 3)
        live = await browser.get("live?after=\(live["cursor"]?.string ?? "")")
        #expect(live["events"] == [] && live["skipped"] == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("what is too much to show is counted, and the newest is shown")
    func skipped() async throws {
        let (setup, browser, tracker) = try await start()
        let first = await browser.get("live")
        for number in 0..<300 { tracker.track(Structured(category: "c", action: "\(number)")) }
        let live = await browser.get("live?after=\(first["cursor"]?.string ?? "")")
        let events = live["events"]?.array ?? []
        #expect(events.count == LiveFeed.maxShown)
        #expect(events.last?.at("data.se_ac") == "299")
        #expect(live["skipped"] == .int(300 - LiveFeed.maxShown))
        // Too large for what there is room for until the next look.
        for _ in 0..<10 { tracker.track(PaddedEvent(action: "large", size: 300_000)) }
        let large = await browser.get("live?after=\(live["cursor"]?.string ?? "")")
        let shown = large["events"]?.array?.count ?? 0
        #expect(shown < 5 && large["skipped"] == .int(10 - shown))
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a cursor of nobody's making is as if there were none",
        arguments: ["x", "1.2", "-1.0.0", "", "99999999999999999999.1.0", "9000000000000000000.0.0"])
    func cursors(cursor: String) async throws {
        let (setup, browser, tracker) = try await start()
        _ = await browser.get("live")
        tracker.track(Structured(category: "c", action: "a"))
        let live = await browser.get("live?after=\(cursor)")
        #expect(live["events"]?.array?.count == 1)
        #expect(live["skipped"] == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("after a restart every mark is another one, and nothing counts as skipped")
    func restart() async throws {
        // From now on each process starts with the same cached document.
        try await start().0.shutdown(timeout: .zero)
        let (first, before, _) = try await start()
        let old = await before.get("live")
        await first.shutdown(timeout: .zero)
        time.advance(by: .seconds(600))
        let (second, browser, tracker) = try await start()
        _ = await browser.get("live")
        tracker.track(Structured(category: "c", action: "a"))
        let new = await browser.get("live?after=\(old["cursor"]?.string ?? "")")
        #expect(new["events"]?.array?.count == 1)
        #expect(new["skipped"] == 0)
        for section in old.at("sections").object?.members.map(\.name) ?? [] {
            #expect(old.at("sections.\(section)") != new.at("sections.\(section)"), "\(section)")
        }
        await second.shutdown(timeout: .zero)
    }

    @Test("answers while a callback takes its time", .mayBlock)
    func slowCallback() async throws {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        shop.publish(1, "{}")
        let setup = try shop.service.start(onSuccess: { update in
            guard update.version == 2 else { return }
            begun.signal()
            end.wait()
        })
        await shop.service.settled()
        let browser = ConsoleBrowser(setup)
        let marks = await browser.get("live")["sections"]
        shop.publish(2, "{}")
        async let outcome = setup.refresh()
        defer { end.signal() }
        try begun.wait(until: "the callback is called")
        // What the callback is told of is there, and is shown.
        let status = await browser.get("status")
        #expect((status.at("document.version"), status["isFetching"]) == (2, true))
        #expect(await browser.get("difference")["newVersion"] == 2)
        #expect(await browser.get("live")["sections"] != marks)
        end.signal()
        #expect(await outcome == .applied(version: 2, namespaces: ["a"]))
        #expect(await browser.get("status")["isFetching"] == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("while nobody looks nothing is noted, also when somebody has looked")
    func nobody() async throws {
        let (setup, browser, tracker) = try await start()
        tracker.track(Structured(category: "c", action: "unseen"))
        #expect(setup.pipeline.tap.take(makingRoom: 0).sightings.isEmpty)
        setup.pipeline.tap.close()
        _ = await browser.get("live")
        tracker.track(Structured(category: "c", action: "seen"))
        #expect(setup.pipeline.tap.take(makingRoom: 1000).sightings.count == 1)
        time.advance(by: .seconds(15))
        #expect(setup.feed.goesOn())
        time.advance(by: .milliseconds(1))
        #expect(!setup.feed.goesOn())
        tracker.track(Structured(category: "c", action: "unseen"))
        #expect(setup.pipeline.tap.take(makingRoom: 0).sightings.isEmpty)
        setup.pipeline.tap.close()
        #expect(await browser.get("live")["events"] == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("tells what became of the events that were shown")
    func outcomes() async throws {
        let (setup, browser, tracker) = try await start()
        let first = await browser.get("live")
        #expect(first["outcomes"] == [])
        shop.service.collector("collector.example", answers: 400)
        await tracker.deliver()
        let live = await browser.get("live?after=\(first["cursor"]?.string ?? "")")
        #expect(live.at("outcomes.0.id") == live.at("events.0.id"))
        #expect(live.at("outcomes.0.reason") == "rejected")
        #expect(live.at("outcomes.0.detail") == "the collector answered 400")
        let last = await browser.get("live?after=\(live["cursor"]?.string ?? "")")
        #expect(last["outcomes"] == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("every message has the status lines, problems first, and the numbers of each tracker")
    func lines() async throws {
        let (setup, browser, tracker) = try await start()
        tracker.emitter.pause()
        tracker.track(Structured(category: "c", action: "a"))
        let live = await browser.get("live")
        let lines = live["lines"]?.array ?? []
        #expect(lines.count == setup.status.lines.count && !lines.isEmpty)
        #expect(lines.map { $0.at("text").string } == setup.status.lines.map(\.text))
        #expect(lines.map { $0.at("level").string } == setup.status.lines.map(\.level.rawValue))
        #expect((live.at("trackers.a.tracked"), live.at("trackers.a.waiting")) == (1, 1))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a view's mark changes with what it shows, and stays while that stays, also while hooks observe every read")
    func marks() async throws {
        let (setup, browser, tracker) = try await start()
        func marks() async -> JSONObject { await browser.get("live")["sections"]?.object ?? [:] }
        func changed(_ old: JSONObject, _ new: JSONObject) -> [String] {
            old.members.map(\.name).filter { old[$0] != new[$0] }.sorted()
        }
        let first = await marks()
        #expect(
            first.members.map(\.name).sorted() == ["difference", "features", "overview", "trackers"])
        tracker.track(Structured(category: "c", action: "a"))
        #expect(changed(first, await marks()) == [])
        try tracker.subject.set(\.userID, to: "u")
        let second = await marks()
        #expect(changed(first, second) == ["overview", "trackers"])
        try setup.features.overrides.set(2, for: "f", variable: "x")
        let third = await marks()
        #expect(changed(second, third) == ["features", "overview"])
        tracker.pause()
        let paused = await marks()
        #expect(changed(third, paused) == ["overview", "trackers"])
        try setup.features.overrides.set(3, for: "f", variable: "x")
        let last = await marks()
        #expect(changed(paused, last).contains("features"))
        shop.publish(2, "{}")
        time.advance(by: .seconds(1))
        await setup.refresh()
        #expect(changed(last, await marks()) == ["difference", "features", "overview", "trackers"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a stream tells what is new every half second, and ends with the setup")
    func stream() async throws {
        let (setup, browser, tracker) = try await start()
        let response = await browser.send("GET", "stream").response
        #expect(response.headers.contains(HTTPHeader(name: "Content-Type", value: "text/event-stream")))
        guard case .stream(let stream) = response.body else {
            Issue.record("it is no stream")
            return
        }
        @Sendable func next() async -> JSONObject? {
            var pieces = stream.makeAsyncIterator()
            guard let piece = await pieces.next() else { return nil }
            let text = String(decoding: piece, as: UTF8.self)
            #expect(text.hasPrefix("event: live\ndata: {") && text.hasSuffix("}\n\n"))
            #expect(text.split(separator: "\n", omittingEmptySubsequences: true).count == 2)
            return try? JSONReader.read(Array(text.dropFirst(18).dropLast(2).utf8)).value.object
        }
        #expect(await next()?["events"] == [])
        tracker.track(Structured(category: "c", action: "one\ntwo"))
        async let second = next()
        await time.waitForSleep(in: .milliseconds(400)...(.milliseconds(500)))
        // More than that, so that the feed's own sleep of a second is not due in half a second too.
        time.advance(by: .milliseconds(700))
        #expect(await second?.at("events.0.data.se_ac") == "one\ntwo")
        await setup.shutdown(timeout: .zero)
        async let last = next()
        await time.waitForSleep(in: .milliseconds(400)...(.milliseconds(500)))
        time.advance(by: .milliseconds(500))
        #expect(await last == nil)
    }

    @Test("more pages than anybody has are refused, until one is closed")
    func tooMany() async throws {
        let (setup, browser, _) = try await start()
        var streams: [ConsoleResponse] = []
        for _ in 0..<32 { streams.append(await browser.send("GET", "stream").response) }
        #expect(await browser.send("GET", "stream").status == 503)
        streams.removeLast()
        #expect(await browser.send("GET", "stream").status == 200)
        // Pages that go while they are read leave their places too.
        let readers = streams.map { response in
            Task { if case .stream(let stream) = response.body { for await _ in stream {} } }
        }
        streams = []
        await time.waitForSleepers(readers.count + 1)
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }
        for _ in 0..<32 { streams.append(await browser.send("GET", "stream").response) }
        #expect(streams.allSatisfy { $0.status == 200 })
        await setup.shutdown(timeout: .zero)
    }
}
